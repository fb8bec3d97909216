/** An observer's view of one interaction, by its own reading of the events. */
import type { Settler } from '../../src/protocol/schema/actor.ts';
import type { EventOf } from '../../src/protocol/schema/event.ts';
import type { Interaction, Outcome } from '../../src/protocol/schema/interaction.ts';
import type { Judge } from './judge.ts';

export interface Ending {
  readonly seq: number;
  readonly at: number;
  readonly outcome: Outcome;
  readonly by: Settler;
}

export class InteractionModel {
  readonly id: string;
  readonly toolCallId: string;
  readonly asked: EventOf<'interaction_request'>['payload'];
  readonly turnId: string | undefined;
  deadline: number | null;
  isExtended = false;
  isOverdue = false;
  ending: Ending | null = null;
  /** The event at index n - 1 made revision n. */
  readonly revisions: number[];
  readonly #marksDue = new Map<string, number>();
  readonly #judge: Judge;

  constructor(event: EventOf<'interaction_request'>, judge: Judge) {
    const { payload } = event;
    this.id = payload.interactionId;
    this.toolCallId = payload.toolCallId;
    this.asked = payload;
    this.turnId = event.turnId;
    this.deadline = payload.expiresAt;
    this.revisions = [event.seq];
    this.#judge = judge;
    if (payload.remindAt !== undefined) this.#marksDue.set('reminder', payload.remindAt);
    if (payload.escalateAt !== undefined) this.#marksDue.set('escalated', payload.escalateAt);
    const given = payload.expiresAt === null ? null : payload.expiresAt - event.at;
    judge.hold(given === payload.timeoutMs, 'I9', () => `${this.id} was given ${given} ms`);
  }

  get isOpen(): boolean {
    return this.ending === null;
  }

  /** The time of the next event that must happen by itself. */
  get nextDue(): number | null {
    if (!this.isOpen) return null;
    const times = [...this.#marksDue.values()];
    if (this.deadline !== null) times.push(this.deadline);
    return times.length === 0 ? null : Math.min(...times);
  }

  isOver(at: number): boolean {
    return this.deadline !== null && at >= this.deadline;
  }

  update({ seq, at, payload }: EventOf<'interaction_update'>): void {
    const { change, expiresAt, by } = payload;
    const hold = (claim: boolean, why: string) =>
      this.#judge.hold(claim, 'I9', () => `${this.id}, ${change} at ${at}: ${why}`);
    this.#judge.hold(this.isOpen, 'I3', () => `${change} of ${this.id} after its end`);
    this.revisions.push(seq);
    if (change === 'reminder' || change === 'escalated') {
      const dueAt = this.#marksDue.get(change);
      hold(dueAt !== undefined && dueAt <= at, `it was due at ${dueAt}`);
      this.#marksDue.delete(change);
      return;
    }
    if (change === 'overdue') {
      hold(this.isOver(at) && this.asked.onExpire === 'keep', `deadline ${this.deadline}`);
      this.isOverdue = true;
    } else {
      hold(!this.isOver(at), `by ${by?.subject} at or after its deadline ${this.deadline}`);
    }
    if (change === 'extended') {
      hold(!this.isExtended, 'a second time');
      const expected = (this.deadline ?? 0) + (this.asked.timeoutMs ?? 0);
      hold(expiresAt === expected, `to ${expiresAt}, expected ${expected}`);
      this.isExtended = true;
    }
    if (expiresAt !== undefined) this.deadline = expiresAt;
  }

  end({ seq, at, payload }: EventOf<'interaction_response'>): void {
    const { outcome, settledBy, settledAt, defaulted } = payload;
    const { onExpire } = this.asked;
    this.#judge.hold(
      this.isOpen,
      'I3',
      () => `${this.id} ends a second time at ${seq}: ${outcome} after ${this.ending?.outcome}`,
    );
    const byTime = settledBy.via === 'timeout';
    const declared = onExpire === 'deny' ? 'expired' : 'answered';
    const fits = byTime
      ? this.isOver(at) && outcome === declared && onExpire !== 'keep'
      : !this.isOver(at) && outcome !== 'expired' && defaulted !== true;
    this.#judge.hold(
      fits && settledAt === at,
      'I9',
      () => `${this.id} ${outcome} by ${settledBy.via} at ${at}, deadline ${this.deadline}`,
    );
    this.revisions.push(seq);
    this.ending = { seq, at, outcome, by: settledBy };
  }

  /** The state at this time, by its name in the race table. */
  stateAt(now: number): { readonly open: true } | { readonly outcome: Outcome } {
    if (this.ending !== null) return { outcome: this.ending.outcome };
    const { onExpire } = this.asked;
    if (!this.isOver(now) || onExpire === 'keep') return { open: true };
    return { outcome: onExpire === 'deny' ? 'expired' : 'answered' };
  }
}

/** The difference between a view and the interaction at that revision; undefined if they agree. */
export function viewProblem(
  model: InteractionModel | undefined,
  view: Partial<Interaction>,
  head: number,
): string | undefined {
  if (model === undefined) return 'it is not in the log';
  const madeAt = model.revisions[(view.rev ?? 0) - 1];
  if (madeAt === undefined || madeAt > head) return `revision ${view.rev} is not stored`;
  if (view.status === 'open') return view.outcome === null ? undefined : 'open with an outcome';
  const { ending } = model;
  const isSame =
    ending?.outcome === view.outcome &&
    ending?.at === view.settledAt &&
    ending?.by.subject === view.settledBy?.subject;
  return isSame ? undefined : `stored is ${ending?.outcome} by ${ending?.by.subject}`;
}
