/**
 * What the workspace hands over to the objects of targets: announcements, changed settings and deletions.
 *
 * A row is written in the transaction of the report or of the change, and only for targets that exist. After the commit
 * the object of the target stores the row's content and confirms it. A crash before the confirmation hands over again,
 * which the object recognizes.
 *
 * A confirmed row stays until the next one of its target overwrites it, or the alarm removes it: an announcement costs
 * one write and not two. Which rows are confirmed is in memory alone.
 */
import type { Party } from '../core/audience.ts';
import { type AnnouncedTo, matchesTarget } from '../core/delivery/webhook-body.ts';
import type { Report } from '../core/report.ts';
import { isRetiring } from '../delivery/surfaces/surface-settings.ts';
import type { OutgoingAnnouncement } from '../delivery/ports.ts';
import type { Announcement } from '../protocol/schema/announcement.ts';
import { concernsSession, dropDevice, isDevice, isEnded } from './devices.ts';
import { SYSTEM } from './keys.ts';
import type { WorkspacePorts } from './ports.ts';
import type { StoredOutboxEntry, StoredTarget } from './store.ts';
import type { Groups } from './groups.ts';
import type { PersonalHours } from './quiet-hours.ts';
import { configOf } from './targets.ts';

type TargetOutboxPorts = Pick<WorkspacePorts, 'store' | 'targets' | 'now' | 'warn'>;

/** Each is at most as large as an inbox entry, and one call holds a few megabytes. */
const MAX_IN_CALL = 100;

/** The request is over, or over for those who were asked. */
function endsAsking({ type }: Announcement): boolean {
  return type === 'interaction.resolved' || type === 'interaction.handed_over';
}

/** A surface that shows a request is sent its end, also after its filter was changed and while it is disabled. */
function mustReceive(target: StoredTarget, to: AnnouncedTo, announcement: Announcement): boolean {
  const { disabledAt, surface, filter, isFilterChanged = false } = target;
  if (endsAsking(announcement) && isRetiring(surface)) {
    const any = { events: ['*'] as const, ...(filter !== undefined && { filter }) };
    return isFilterChanged || matchesTarget(any, to, announcement);
  }
  return disabledAt === null && matchesTarget(target, to, announcement);
}

/** What the workspace knows of the person that a target stands for. */
interface People {
  readonly groups: Pick<Groups, 'namesOf'>;
  readonly quietHours: Pick<PersonalHours, 'of'>;
}

interface TargetRows {
  /** The object has not confirmed these, in their order. */
  waiting: StoredOutboxEntry[];
  /** Slots of confirmed rows. */
  free: number[];
}

export class TargetOutbox {
  readonly #ports: TargetOutboxPorts;
  readonly #people: People;
  /** Read once and then kept, because every report needs them. */
  #targets: readonly StoredTarget[] | null = null;
  #rows: Map<string, TargetRows> | null = null;
  #lastNumber = 0;
  readonly #sending = new Map<string, Promise<boolean>>();

  constructor(ports: TargetOutboxPorts, people: People) {
    this.#ports = ports;
    this.#people = people;
  }

  /** After a change of a target. */
  forgetTargets(): void {
    this.#targets = null;
  }

  /** After a transaction failed: memory may hold what was not written. */
  reset(): void {
    this.#targets = null;
    this.#rows = null;
  }

  /** Resets this memory if the transaction throws. */
  orReset<Result>(transaction: () => Result): Result {
    try {
      return transaction();
    } catch (cause) {
      this.reset();
      throw cause;
    }
  }

  targets(): readonly StoredTarget[] {
    this.#targets ??= this.#ports.store.targets.list();
    return this.#targets;
  }

  /** Whether the alarm has rows to hand over or to remove. */
  get hasRows(): boolean {
    return this.#load().size > 0;
  }

  /** Call it in the transaction of the report. Returns the targets that `send` must be called for. */
  addAnnouncements(
    { sessionId, incarnation, labels = {} }: Pick<Report, 'sessionId' | 'incarnation' | 'labels'>,
    announcements: readonly Announcement[],
  ): ReadonlySet<string> {
    const touched = new Set<string>();
    for (const target of this.targets()) {
      if (!concernsSession(target, sessionId)) continue;
      if (target.disabledAt === null && isDevice(target) && isEnded(target, this.#ports.now())) {
        dropDevice(this.#ports, this, target, { by: SYSTEM, change: 'device expired' });
        this.forgetTargets();
        touched.add(target.id);
        continue;
      }
      for (const announcement of announcements) {
        const party = (options: { withFormer: boolean }) => this.#partyOf(target, options);
        const to = { sessionId, labels, party };
        const isWanted = mustReceive(target, to, announcement);
        if (!isWanted && !this.#mayEndReminder(target, to, announcement)) continue;
        const source = `${sessionId} ${incarnation} ${announcement.seq}`;
        this.add(target.id, {
          sessionId,
          source,
          announcement,
          ...(!isWanted && { isUnwanted: true as const }),
        });
        touched.add(target.id);
      }
    }
    return touched;
  }

  /** A target that is sent no resolutions is sent this one all the same: its person has a reminder that waits. */
  #mayEndReminder(target: StoredTarget, to: AnnouncedTo, announcement: Announcement): boolean {
    return (
      endsAsking(announcement) &&
      target.disabledAt === null &&
      this.#people.quietHours.of(target.audience) !== undefined &&
      target.events.includes('interaction.reminder') &&
      matchesTarget({ ...target, events: ['*'] }, to, announcement)
    );
  }

  /** The target for audiences: by its id, its name, and the person that it stands for. */
  #partyOf({ id, name, audience: subject }: StoredTarget, how: { withFormer: boolean }): Party {
    const groups = subject === undefined ? [] : this.#people.groups.namesOf(subject, how);
    return { subject, groups, targets: name === undefined ? [id] : [id, name] };
  }

  /** Call it in the transaction of the change. Null hands over the present settings, or the deletion. */
  add(targetId: string, announcement: OutgoingAnnouncement | null): void {
    const rows = this.#load();
    const known = rows.get(targetId) ?? { waiting: [], free: [] };
    const slot = known.free.shift() ?? Math.max(-1, ...known.waiting.map((row) => row.slot)) + 1;
    this.#lastNumber += 1;
    const row = { targetId, slot, number: this.#lastNumber, announcement };
    this.#ports.store.targetOutbox.put(row);
    known.waiting.push(row);
    rows.set(targetId, known);
  }

  /** Resolves with true when everything for this target is confirmed. */
  send(targetId: string): Promise<boolean> {
    const underWay = this.#sending.get(targetId);
    if (underWay !== undefined) return underWay;
    const sent = Promise.resolve().then(() => this.#send(targetId));
    this.#sending.set(targetId, sent);
    return sent;
  }

  async #send(targetId: string): Promise<boolean> {
    const { targets, warn } = this.#ports;
    const { quietHours } = this.#people;
    // It ends in the step in which it finds nothing more: a row that is added later starts another one.
    const end = (isSent: boolean) => {
      this.#sending.delete(targetId);
      return isSent;
    };
    try {
      for (;;) {
        const batch = this.#load().get(targetId)?.waiting.slice(0, MAX_IN_CALL) ?? [];
        if (batch.length === 0) return end(true);
        const target = this.targets().find(({ id }) => id === targetId);
        const announcements = batch.flatMap(({ announcement }) => announcement ?? []);
        await targets.receive(
          targetId,
          target === undefined ? null : configOf(target, quietHours.of(target.audience)),
          announcements,
        );
        this.#confirm(targetId, batch);
      }
    } catch (cause) {
      warn(`Announcements for the target ${targetId} could not be handed over; tried again`, cause);
      return end(false);
    }
  }

  /** By number: the rows may have been read anew in the meantime. */
  #confirm(targetId: string, batch: readonly StoredOutboxEntry[]): void {
    const known = this.#load().get(targetId);
    if (known === undefined) return;
    const numbers = new Set(batch.map(({ number }) => number));
    const confirmed = known.waiting.filter(({ number }) => numbers.has(number));
    known.waiting = known.waiting.filter(({ number }) => !numbers.has(number));
    known.free.push(...confirmed.map(({ slot }) => slot));
  }

  /** Hands over what waits, and removes what is confirmed. Resolves with false when some target is out of reach. */
  async flush(): Promise<boolean> {
    const sent = await Promise.all([...this.#load().keys()].map((id) => this.send(id)));
    const { store } = this.#ports;
    const rows = this.#load();
    const confirmed = [...rows].filter(([, { free }]) => free.length > 0);
    if (confirmed.length > 0) {
      store.write(() => {
        for (const [targetId, { free }] of confirmed) {
          for (const slot of free) store.targetOutbox.remove(targetId, slot);
        }
      });
      // A failed write above leaves both as they are.
      for (const [targetId, known] of confirmed) {
        known.free = [];
        if (known.waiting.length === 0) rows.delete(targetId);
      }
    }
    return sent.every(Boolean);
  }

  #load(): Map<string, TargetRows> {
    if (this.#rows !== null) return this.#rows;
    const rows = new Map<string, TargetRows>();
    for (const row of this.#ports.store.targetOutbox.list()) {
      const known = rows.get(row.targetId) ?? { waiting: [], free: [] };
      known.waiting.push(row);
      rows.set(row.targetId, known);
      this.#lastNumber = Math.max(this.#lastNumber, row.number);
    }
    this.#rows = rows;
    return rows;
  }
}
