/**
 * Quiet hours of the people of a workspace, by subject. The objects of a person's targets get them with their settings.
 *
 * A change is written together with a row for each target of the person, so that no target keeps the old hours.
 */
import * as z from '../protocol/schema/zod.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { QuietHours } from '../protocol/schema/quiet-hours.ts';
import { addOwnAudit } from './audit.ts';
import { parseStored } from './parse-stored.ts';
import type { WorkspacePorts } from './ports.ts';
import type { TargetOutbox } from './target-outbox.ts';

/** Looser than what a request may hold: a zone that the platform has dropped since must not make the others unreadable. */
const StoredHours = z.array(
  z.tuple([z.string(), z.object({ from: z.string(), to: z.string(), timeZone: z.string() })]),
);

export type ChangedHours = { readonly ok: true; readonly targets: readonly string[] } | Rejection;

export class PersonalHours {
  readonly #ports: Pick<WorkspacePorts, 'store' | 'now' | 'warn'>;
  /** Read once and then kept: each handover to a target of a person needs them. */
  #stored: ReadonlyMap<string, QuietHours> | null = null;

  constructor(ports: Pick<WorkspacePorts, 'store' | 'now' | 'warn'>) {
    this.#ports = ports;
  }

  of(subject: string | undefined): QuietHours | undefined {
    return subject === undefined ? undefined : this.#all().get(subject);
  }

  /** Null removes them. Returns the targets that `send` must be called for. */
  set(
    subject: string,
    hours: QuietHours | null,
    { by, outbox }: { readonly by: Settler; readonly outbox: TargetOutbox },
  ): ChangedHours {
    const { store, now } = this.#ports;
    const all = new Map(this.#all());
    const known = all.get(subject) ?? null;
    if (JSON.stringify(known) === JSON.stringify(hours)) return { ok: true, targets: [] };
    if (hours === null) all.delete(subject);
    else all.set(subject, hours);
    if (all.size > LIMITS.quietHours) return TOO_MANY_HOURS;
    const targets = outbox.targets().filter(({ audience }) => audience === subject);
    const change =
      hours === null
        ? 'quiet hours removed'
        : `quiet hours ${hours.from} to ${hours.to}, ${hours.timeZone}`;
    store.write(() => {
      store.saveList('quiet-hours', JSON.stringify([...all]));
      for (const { id } of targets) outbox.add(id, null);
      addOwnAudit(store, by, { at: now(), what: 'person', named: subject, change });
    });
    this.#stored = all;
    return { ok: true, targets: targets.map(({ id }) => id) };
  }

  #all(): ReadonlyMap<string, QuietHours> {
    if (this.#stored !== null) return this.#stored;
    const text = this.#ports.store.list('quiet-hours');
    const parsed = StoredHours.safeParse(text === undefined ? [] : parseStored(text));
    // Without them reminders come at once.
    if (!parsed.success) {
      this.#ports.warn('The quiet hours of a workspace cannot be read', parsed.error);
    }
    this.#stored = new Map(parsed.data);
    return this.#stored;
  }
}

const TOO_MANY_HOURS = reject(
  'limit_reached',
  'Too many people of this workspace have quiet hours; remove those of one first',
  { limit: 'quietHours', max: LIMITS.quietHours },
);
