/**
 * Devices of persons: targets of type `push`, one for each browser that its person allowed.
 *
 * A person is a subject and sees only the own devices. A device has the rights of the credential that it was allowed
 * with, and ends with it: when one of its chain is revoked, and when it expires. The chat allows the device again with
 * each new sign-in.
 */
import type { PushSettings } from '../delivery/surfaces/push/push-surface.ts';
import { settingsProblem } from '../delivery/surfaces/surface-settings.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { CreateDevice, DeviceView } from '../protocol/schema/device.ts';
import type { VapidKeys } from '../protocol/schema/surfaces/push.ts';
import { addOwnAudit } from './audit.ts';
import type { TargetMaker, WorkspacePorts } from './ports.ts';
import type { StoredTarget } from './store.ts';
import type { TargetOutbox } from './target-outbox.ts';

type DevicePorts = Pick<WorkspacePorts, 'store' | 'now' | 'allowPrivateTargets'>;
export type StoredDevice = StoredTarget & { readonly surface: PushSettings };

/** The credential that a device is allowed with. */
export interface DeviceOwner
  extends Pick<
    PushSettings,
    'session' | 'mayRead' | 'mayAnswer' | 'chain' | 'expiresAt' | 'contact'
  > {
  readonly made: TargetMaker;
}

const NO_SUCH_DEVICE = reject('not_found', 'You have no such device');
const REVOKED = reject('unauthenticated', 'This credential was revoked');

/** Shown in a list, and not worth a write each time. */
const USED_EVERY_MS = 3_600_000;

export function isDevice(target: StoredTarget): target is StoredDevice {
  return target.surface.type === 'push';
}

/** The same subscription again is the same device, with the rights of the present credential. */
export function createDevice(
  ports: DevicePorts,
  outbox: TargetOutbox,
  input: CreateDevice,
  { owner, vapid, id }: { owner: DeviceOwner; vapid: VapidKeys; id: string },
): ReadResult<DeviceView> {
  const { made, ...rights } = owner;
  const { by, ...maker } = made;
  const { endpoint, keys } = input.subscription;
  const surface: PushSettings = {
    type: 'push',
    device: input.name,
    subject: by.subject,
    endpoint,
    p256dh: keys.p256dh,
    auth: keys.auth,
    vapid,
    ...rights,
    usedAt: ports.now(),
  };
  const problem = settingsProblem(surface, { allowPrivate: ports.allowPrivateTargets });
  if (problem !== undefined) {
    const { path, message } = problem;
    return reject('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] });
  }
  // The credential may have been revoked a moment ago, which not every part of the service knows yet.
  if (rights.chain.some((credential) => ports.store.revocations.has(credential))) return REVOKED;
  const devices = outbox.targets().filter(isDevice);
  const known = devices.find((device) => device.surface.endpoint === endpoint);
  if (known?.surface.subject === by.subject) {
    return { ok: true, value: refresh(ports, outbox, known, { surface, maker, by }) };
  }
  const full = findFullLimit(devices, by.subject);
  if (full !== undefined) return full;
  const device: StoredDevice = {
    id,
    surface,
    events: DEVICE_EVENTS,
    audience: by.subject,
    createdAt: ports.now(),
    createdBy: by.subject,
    disabledAt: null,
    ...maker,
    secrets: [],
    enabledCount: 1,
  };
  ports.store.write(() => {
    // The browser has changed hands: its subscription is of the person who uses it now.
    if (known !== undefined) dropDevice(ports, outbox, known, { by, change: 'device replaced' });
    ports.store.targets.put(device);
    outbox.add(id, null);
    noteDevice(ports, device, { by, change: 'device added' });
  });
  outbox.forgetTargets();
  return { ok: true, value: viewDevice(device) };
}

const DEVICE_EVENTS: StoredTarget['events'] = [
  'interaction.requested',
  'interaction.reminder',
  'interaction.escalated',
  'interaction.handed_over',
  'interaction.resolved',
];

function findFullLimit(devices: readonly StoredDevice[], subject: string): Rejection | undefined {
  const own = devices.filter((device) => device.surface.subject === subject);
  const [limit, max] =
    own.length >= LIMITS.devicesPerPerson
      ? ['devicesPerPerson', LIMITS.devicesPerPerson]
      : ['devices', LIMITS.devices];
  if (limit === 'devices' && devices.length < max) return undefined;
  return reject('limit_reached', 'There are too many devices; remove one first', { limit, max });
}

function refresh(
  { store, now }: DevicePorts,
  outbox: TargetOutbox,
  known: StoredDevice,
  { surface, maker, by }: { surface: PushSettings; maker: Omit<TargetMaker, 'by'>; by: Settler },
): DeviceView {
  const { usedAt } = known.surface;
  const isSame =
    known.disabledAt === null &&
    JSON.stringify(known.surface) === JSON.stringify({ ...surface, usedAt });
  if (isSame && now() - usedAt < USED_EVERY_MS) return viewDevice(known);
  const { disabledBy, ...rest } = known;
  // A device that an administrator has disabled stays so.
  const isKept = disabledBy === 'administrator';
  const device: StoredDevice = {
    ...rest,
    ...maker,
    surface,
    ...(isKept
      ? { disabledBy }
      : { disabledAt: null, enabledCount: known.enabledCount + (isSame ? 0 : 1) }),
  };
  store.write(() => {
    store.targets.put(device);
    outbox.add(device.id, null);
    if (!isSame) noteDevice({ store, now }, device, { by, change: 'device renewed' });
  });
  outbox.forgetTargets();
  return viewDevice(device);
}

export async function findVapidKeys({
  store,
  freshVapidKeys,
}: Pick<WorkspacePorts, 'store' | 'freshVapidKeys'>): Promise<VapidKeys> {
  const known = store.vapidKeys();
  if (known !== undefined) return known;
  const fresh = await freshVapidKeys();
  return store.write(() => {
    // Another request may have made them in the meantime.
    const made = store.vapidKeys();
    if (made === undefined) store.saveVapidKeys(fresh);
    return made ?? fresh;
  });
}

export function listDevices(outbox: TargetOutbox, subject: string): DeviceView[] {
  return outbox.targets().filter(isDevice).filter(ownedBy(subject)).map(viewDevice);
}

const ownedBy =
  (subject: string) =>
  ({ surface }: StoredDevice) =>
    surface.subject === subject;

export function findDevice(
  outbox: TargetOutbox,
  id: string,
  subject: string,
): ReadResult<StoredDevice> {
  const device = outbox.targets().find((target) => target.id === id);
  return device !== undefined && isDevice(device) && ownedBy(subject)(device)
    ? { ok: true, value: device }
    : NO_SUCH_DEVICE;
}

/**
 * Removes the devices that end with these credentials, or with the person who leaves, and returns their ids. Call it in the
 * transaction of the revocation.
 */
export function dropDevicesOf(
  ports: Pick<DevicePorts, 'store' | 'now'>,
  outbox: TargetOutbox,
  {
    credentials,
    subject,
    by,
  }: {
    readonly credentials: readonly string[];
    readonly subject: string | null;
    readonly by: Settler;
  },
): readonly string[] {
  const devices = outbox.targets().filter(isDevice);
  const ended = devices.filter(
    ({ surface }) =>
      surface.subject === subject || surface.chain.some((one) => credentials.includes(one)),
  );
  for (const device of ended) {
    dropDevice(ports, outbox, device, { by, change: 'device removed with its credential' });
  }
  if (ended.length > 0) outbox.forgetTargets();
  return ended.map(({ id }) => id);
}

export function removeDevice(
  ports: DevicePorts,
  outbox: TargetOutbox,
  device: StoredDevice,
  why: { readonly by: Settler; readonly change: string },
): void {
  ports.store.write(() => dropDevice(ports, outbox, device, why));
  outbox.forgetTargets();
}

/** Removes the device with everything that waits for it. Call it in a transaction. */
export function dropDevice(
  ports: Pick<DevicePorts, 'store' | 'now'>,
  outbox: TargetOutbox,
  device: StoredDevice,
  why: { readonly by: Settler; readonly change: string },
): void {
  ports.store.targets.remove(device.id);
  outbox.add(device.id, null);
  noteDevice(ports, device, why);
}

function noteDevice(
  { store, now }: Pick<DevicePorts, 'store' | 'now'>,
  { id, surface }: StoredDevice,
  { by, change }: { readonly by: Settler; readonly change: string },
): void {
  const named = surface.subject;
  addOwnAudit(store, by, { at: now(), what: 'target', target: id, change, named });
}

/** Whether the credential of the device has expired. */
export function isEnded({ surface }: StoredDevice, now: number): boolean {
  return surface.expiresAt !== null && surface.expiresAt <= now;
}

/** A credential of one session is notified of that session. */
export function concernsSession({ surface }: StoredTarget, sessionId: string): boolean {
  return surface.type !== 'push' || surface.session === null || surface.session === sessionId;
}

function viewDevice({ id, surface, createdAt, disabledAt }: StoredDevice): DeviceView {
  const { device: name, session, usedAt, expiresAt } = surface;
  return { id, name, session, createdAt, usedAt, expiresAt, disabledAt };
}
