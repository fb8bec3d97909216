/** Targets of the workspace: creation, list, change, rotation of the secret, deletion. Only administrators reach these. */
import type { DisabledState, TargetConfig } from '../delivery/ports.ts';
import {
  changeSettings,
  hasSecret,
  pickSettings,
  type SettingsProblem,
  settingsProblem,
  viewSettings,
} from '../delivery/surfaces/surface-settings.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import type { Mutable } from '../protocol/interaction-record.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { QuietHours } from '../protocol/schema/quiet-hours.ts';
import type { TargetView } from '../protocol/schema/target.ts';
import { addOwnAudit } from './audit.ts';
import { isDevice, removeDevice } from './devices.ts';
import type { CreateTargetInput, TargetChanges, TargetMaker, WorkspacePorts } from './ports.ts';
import type { StoredTarget } from './store.ts';
import type { TargetOutbox } from './target-outbox.ts';

export interface CreatedTarget {
  readonly target: TargetView;
  /** Undefined for a surface whose settings hold its secrets. */
  readonly secret: string | undefined;
}

type TargetChangePorts = Pick<
  WorkspacePorts,
  'store' | 'now' | 'allowPrivateTargets' | 'freshSecret'
>;

const TARGET_NOT_FOUND = reject('not_found', 'There is no such target in this workspace');
const NO_SECRET = reject(
  'invalid_request',
  'The secrets of this target are among its settings; change those',
  { issues: [] },
);

export function createTarget(
  ports: TargetChangePorts,
  outbox: TargetOutbox,
  input: CreateTargetInput,
  { maker, id }: { readonly maker: TargetMaker; readonly id: string },
): ReadResult<CreatedTarget> {
  const { type, name, events, filter, audience } = input;
  const surface = pickSettings(type, input);
  const problem = settingsProblem(surface, { allowPrivate: ports.allowPrivateTargets });
  if (problem !== undefined) return refuseSettings(problem);
  const targets = outbox.targets();
  const known = targets.find((target) => target.id === id);
  if (known !== undefined) return repeatTarget(known, { surface, name, events, filter, audience });
  const twin = rejectNameTwin(targets, id, name);
  if (twin !== undefined) return twin;
  if (targets.filter((target) => !isDevice(target)).length >= LIMITS.targets) {
    return reject('limit_reached', 'This workspace has too many targets; delete one first', {
      limit: 'targets',
      max: LIMITS.targets,
    });
  }
  const secret = hasSecret(surface) ? ports.freshSecret() : undefined;
  const { by, ...made } = maker;
  const target: StoredTarget = {
    id,
    surface,
    ...(name !== undefined && { name }),
    events,
    ...(filter !== undefined && { filter }),
    ...(audience !== undefined && { audience }),
    createdAt: ports.now(),
    createdBy: by.subject,
    disabledAt: null,
    ...made,
    secrets: secret === undefined ? [] : [{ text: secret, until: null }],
    enabledCount: 1,
  };
  saveTarget(ports, outbox, target, { by, change: 'created' });
  return { ok: true, value: { target: viewTarget(target), secret } };
}

/** A repeated request finds its target, and the same secret, unless the target was changed since. */
function repeatTarget(known: StoredTarget, input: AskedTarget): ReadResult<CreatedTarget> {
  const asked = ({ surface, name, events, filter, audience }: AskedTarget) =>
    JSON.stringify([surface, name, events, filter, audience]);
  return asked(known) === asked(input)
    ? { ok: true, value: { target: viewTarget(known), secret: known.secrets[0]?.text } }
    : reject('idempotency_key_reused', 'This Idempotency-Key was used for another target');
}

interface AskedTarget extends Pick<StoredTarget, 'surface' | 'events'> {
  readonly name?: string | undefined;
  readonly filter?: StoredTarget['filter'] | undefined;
  readonly audience?: string | undefined;
}

export function findTargetView(outbox: TargetOutbox, id: string): ReadResult<TargetView> {
  const target = outbox.targets().find((one) => one.id === id);
  return target === undefined ? TARGET_NOT_FOUND : { ok: true, value: viewTarget(target) };
}

export function updateTarget(
  ports: TargetChangePorts,
  outbox: TargetOutbox,
  id: string,
  {
    changes,
    by,
    maker,
  }: {
    readonly changes: TargetChanges;
    readonly by: Settler;
    readonly maker?: StoredTarget['maker'] | undefined;
  },
): ReadResult<TargetView> {
  const known = outbox.targets().find((target) => target.id === id);
  if (known === undefined) return TARGET_NOT_FOUND;
  const changed = changeSettings(known.surface, changes);
  if (!('settings' in changed)) return refuseSettings(changed);
  const { settings: surface } = changed;
  // Also a target whose address is no longer allowed can be disabled.
  const isChanged = JSON.stringify(surface) !== JSON.stringify(known.surface);
  const options = { allowPrivate: ports.allowPrivateTargets };
  const problem = isChanged ? settingsProblem(surface, options) : undefined;
  if (problem !== undefined) return refuseSettings(problem);
  const twin = rejectNameTwin(outbox.targets(), id, changes.name);
  if (twin !== undefined) return twin;
  const target = {
    ...changeFields(known, changes),
    surface,
    ...changeEnabled(known, changes, ports.now()),
    // An administrator who enables what a revoked credential made vouches for it from then on.
    ...(waitsForAdmin(known) && changes.enabled === true && maker !== undefined && { maker }),
  };
  if (target.disabledAt === null) delete target.disabledBy;
  saveTarget(ports, outbox, target, { by, change: describeTargetChange(changes) });
  return { ok: true, value: viewTarget(target) };
}

function changeFields(known: StoredTarget, changes: TargetChanges): Mutable<StoredTarget> {
  const { name, filter, audience, events = known.events } = changes;
  const target: Mutable<StoredTarget> = { ...known, events };
  if (name === null) delete target.name;
  else if (name !== undefined) target.name = name;
  if (changes.events !== undefined || filter !== undefined) target.isFilterChanged = true;
  if (filter === null) delete target.filter;
  else if (filter !== undefined) target.filter = filter;
  if (audience === null) delete target.audience;
  else if (audience !== undefined) target.audience = audience;
  return target;
}

/** Two targets of one name would both be asked by it. */
function rejectNameTwin(
  targets: readonly StoredTarget[],
  id: string,
  name: string | null | undefined,
): Rejection | undefined {
  if (name === undefined || name === null) return undefined;
  if (!targets.some((one) => one.name === name && one.id !== id)) return undefined;
  return refuseSettings({
    path: 'name',
    message: 'Another target of this workspace has this name',
  });
}

function waitsForAdmin({ disabledBy }: StoredTarget): boolean {
  return disabledBy === 'revocation';
}

/**
 * Disables the targets that these credentials made, and returns their ids. Call it in the transaction of the revocation.
 *
 * The receiver of a leaked credential would otherwise read and answer on.
 */
export function holdTargetsOf(
  ports: Pick<WorkspacePorts, 'store' | 'now'>,
  outbox: TargetOutbox,
  credentials: readonly string[],
  by: Settler,
): readonly string[] {
  const isMadeBy = ({ maker: { credential, key, root } }: StoredTarget) =>
    [credential, key, root].some((id) => id !== undefined && credentials.includes(id));
  const made = outbox.targets().filter((target) => !isDevice(target) && isMadeBy(target));
  for (const target of made) {
    if (waitsForAdmin(target)) continue;
    const disabledAt = target.disabledAt ?? ports.now();
    const held = { ...target, disabledAt, disabledBy: 'revocation' } as const;
    saveTarget(ports, outbox, held, { by, change: 'disabled, its maker was revoked' });
  }
  return made.map(({ id }) => id);
}

function changeEnabled(
  known: StoredTarget,
  { enabled }: TargetChanges,
  now: number,
): Partial<StoredTarget> {
  if (enabled === undefined) return {};
  // Also for a target that is not shown as disabled yet: its object may have disabled itself a moment ago.
  if (enabled) return { disabledAt: null, enabledCount: known.enabledCount + 1 };
  return known.disabledAt === null ? { disabledAt: now, disabledBy: 'administrator' } : {};
}

function describeTargetChange({ enabled }: TargetChanges): string {
  if (enabled === undefined) return 'updated';
  return enabled ? 'enabled' : 'disabled';
}

/** The old secret stays in force for a day, and an older one ends. */
export function rotateTargetSecret(
  ports: TargetChangePorts,
  outbox: TargetOutbox,
  id: string,
  by: Settler,
): ReadResult<CreatedTarget> {
  const known = outbox.targets().find((target) => target.id === id);
  if (known === undefined) return TARGET_NOT_FOUND;
  if (!hasSecret(known.surface)) return NO_SECRET;
  const secret = ports.freshSecret();
  const until = ports.now() + LIMITS.secretOverlapMs;
  const [previous] = known.secrets;
  const secrets = [{ text: secret, until: null }, ...(previous ? [{ ...previous, until }] : [])];
  const target = { ...known, secrets };
  saveTarget(ports, outbox, target, { by, change: 'secret rotated' });
  return { ok: true, value: { target: viewTarget(target), secret } };
}

export function deleteTarget(
  { store, now }: TargetChangePorts,
  outbox: TargetOutbox,
  id: string,
  by: Settler,
): { ok: true } | Rejection {
  if (!outbox.targets().some((target) => target.id === id)) return TARGET_NOT_FOUND;
  store.write(() => {
    store.targets.remove(id);
    outbox.add(id, null);
    addOwnAudit(store, by, { at: now(), what: 'target', target: id, change: 'deleted' });
  });
  outbox.forgetTargets();
  return { ok: true };
}

/** From the object of the target, which has stopped. A target that was enabled since is not concerned. */
export function disableFailedTarget(
  ports: TargetChangePorts,
  outbox: TargetOutbox,
  id: string,
  { at, enabledCount, isGone = false }: Omit<DisabledState, 'isReported'>,
): void {
  const known = outbox.targets().find((target) => target.id === id);
  if (known?.enabledCount !== enabledCount || known.disabledAt !== null) return;
  if (isGone && isDevice(known)) {
    const by = { subject: 'system', via: 'system' } as const;
    removeDevice(ports, outbox, known, { by, change: 'device gone' });
    return;
  }
  saveTarget(
    ports,
    outbox,
    { ...known, disabledAt: at, disabledBy: 'failures' },
    { by: { subject: 'system', via: 'system' }, change: 'disabled after failures' },
  );
}

function saveTarget(
  { store, now }: Pick<TargetChangePorts, 'store' | 'now'>,
  outbox: TargetOutbox,
  target: StoredTarget,
  { by, change }: { readonly by: Settler; readonly change: string },
): void {
  const named = target.audience === undefined ? {} : { named: target.audience };
  store.write(() => {
    store.targets.put(target);
    outbox.add(target.id, null);
    addOwnAudit(store, by, { at: now(), what: 'target', target: target.id, change, ...named });
  });
  outbox.forgetTargets();
}

function refuseSettings({ path, message }: SettingsProblem): Rejection {
  return reject('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] });
}

export function viewTarget(target: StoredTarget): TargetView {
  const { id, surface, name, events, filter, audience } = target;
  const { createdAt, createdBy, disabledAt, disabledBy } = target;
  return {
    id,
    ...viewSettings(surface),
    ...(name !== undefined && { name }),
    events,
    ...(filter !== undefined && { filter }),
    ...(audience !== undefined && { audience }),
    createdAt,
    createdBy,
    disabledAt,
    ...(disabledBy !== undefined && { disabledBy }),
  };
}

export function configOf(target: StoredTarget, quietHours?: QuietHours): TargetConfig {
  const { id, workspace, surface, origin, audience, secrets, maker } = target;
  const { disabledAt, enabledCount } = target;
  const isEnabled = disabledAt === null;
  return {
    id,
    workspace,
    surface,
    origin,
    audience,
    ...(quietHours !== undefined && { quietHours }),
    secrets,
    maker,
    isEnabled,
    enabledCount,
  };
}
