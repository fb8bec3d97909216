/**
 * Reads a session's log row by row, and checks every event against the promises alone. It shares no code with the
 * session.
 */
import type { EventOf, SessionEvent } from '../../src/protocol/schema/event.ts';
import { InteractionModel } from './interaction-model.ts';
import type { Judge } from './judge.ts';
import { marksIn } from './marks.ts';
import { RunModel } from './run-model.ts';

interface FoundMark {
  readonly seq: number;
  /** Counts the commits of the log. */
  readonly commit: number;
}

export class SessionModel {
  head = 0;
  deletedAt: number | null = null;
  title: string | null = null;
  readonly interactions = new Map<string, InteractionModel>();
  readonly latest = new Map<string, InteractionModel>();
  /** The first events of each row in which a mark appears. */
  readonly marks = new Map<string, FoundMark[]>();
  readonly rules = new Set<string>();
  /** Messages queued until no interaction is open. */
  queued = 0;
  readonly runs: RunModel;
  /** The last event that changes the inbox. */
  lastForInbox = 0;
  /** The required next event, and the reason. */
  #expected: { readonly reason: string; readonly fits: (event: SessionEvent) => boolean } | null =
    null;
  #before: SessionEvent | undefined;
  #commits = 0;
  readonly #judge: Judge;
  readonly #name: string;

  constructor(name: string, judge: Judge) {
    this.#name = name;
    this.#judge = judge;
    this.runs = new RunModel(judge);
  }

  get exists(): boolean {
    return this.head > 0 && this.deletedAt === null;
  }

  get open(): InteractionModel[] {
    return [...this.interactions.values()].filter((interaction) => interaction.isOpen);
  }

  get nextDue(): number | null {
    const times = this.open.map((interaction) => interaction.nextDue).filter((at) => at !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  openAt(head: number): string[] {
    return [...this.interactions.values()]
      .filter(({ revisions, ending }) => (revisions[0] ?? 0) <= head && (ending?.seq ?? 1e9) > head)
      .map((one) => one.id);
  }

  /** Reads one whole commit. */
  row(events: readonly SessionEvent[]): void {
    this.#commits += 1;
    const seen = new Set<string>();
    for (const event of events) {
      this.#event(event);
      for (const mark of marksIn(event)) {
        if (seen.has(mark)) continue;
        seen.add(mark);
        const found = { seq: event.seq, commit: this.#commits };
        this.marks.set(mark, [...(this.marks.get(mark) ?? []), found]);
      }
    }
    this.#hold(this.#expected === null, 'pending', () => `missing: ${this.#expected?.reason}`);
    const isHeldUp = this.queued === 0 || this.open.length > 0 || this.deletedAt !== null;
    this.#hold(isHeldUp, 'I1', () => `${this.queued} messages wait for nothing`);
    const at = events[0]?.at ?? 0;
    const late = this.open.find((interaction) => interaction.isOver(at));
    this.#hold(late === undefined, 'I9', () => `${late?.id} is left open at ${at} after its time`);
  }

  #hold(claim: boolean, rule: string, evidence: () => string): void {
    this.#judge.hold(claim, rule, () => `${this.#name} at ${this.head}: ${evidence()}`);
  }

  #event(event: SessionEvent): void {
    const { seq, at } = event;
    this.#hold(seq === this.head + 1, 'I4', () => `seq ${seq} follows ${this.head}`);
    this.#hold((this.#before?.at ?? 0) <= at, 'I4', () => `time goes back at ${seq}`);
    this.#hold(this.deletedAt === null, 'I3', () => `${event.type} after the session was deleted`);
    const expected = this.#expected;
    this.#expected = null;
    if (expected !== null) this.#hold(expected.fits(event), 'pending', () => expected.reason);
    this.head = seq;
    if (event.type === 'interaction_request' || event.type === 'interaction_response') {
      this.lastForInbox = seq;
    }
    switch (event.type) {
      case 'interaction_pending':
        this.#pending(event);
        break;
      case 'interaction_request':
        this.#request(event);
        break;
      case 'interaction_update':
        this.#known(event)?.update(event);
        break;
      case 'interaction_response':
        this.#response(event);
        break;
      case 'session_updated':
        this.#updated(event);
        break;
      case 'session_started':
        this.title = event.payload.title ?? null;
        break;
      case 'context_cleared':
        this.queued = 0;
        this.runs.cleared();
        break;
      case 'turn_started':
      case 'turn_ended':
      case 'error':
        this.runs.reported(event, this.open);
        break;
      case 'session_status':
        if (event.payload.status === 'deleted') this.#deleted(at);
        break;
      default:
    }
    this.#before = event;
  }

  #pending({ payload: { pending, interactionId } }: EventOf<'interaction_pending'>): void {
    if (pending) {
      this.#expected = {
        reason: `the request of ${interactionId} right after its pending`,
        fits: (next) =>
          next.type === 'interaction_request' && next.payload.interactionId === interactionId,
      };
      return;
    }
    const before = this.#before;
    const fits =
      before?.type === 'interaction_response' && before.payload.interactionId === interactionId;
    this.#hold(fits, 'pending', () => `${interactionId} stops waiting without a response`);
  }

  #request(event: EventOf<'interaction_request'>): void {
    const { interactionId, toolCallId } = event.payload;
    const before = this.#before;
    const fits = before?.type === 'interaction_pending' && before.payload.pending;
    this.#hold(fits, 'pending', () => `before the request of ${interactionId}`);
    const known = this.interactions.has(interactionId);
    this.#hold(!known, 'I3', () => `${interactionId} is asked twice`);
    const other = this.latest.get(toolCallId);
    this.#hold(other?.isOpen !== true, 'I3', () => `${other?.id} and ${interactionId} are open`);
    const made = new InteractionModel(event, this.#judge);
    this.runs.asked(event.payload);
    this.interactions.set(interactionId, made);
    this.latest.set(toolCallId, made);
  }

  #response(event: EventOf<'interaction_response'>): void {
    const { interactionId, outcome, replacedBy } = event.payload;
    const known = this.#known(event);
    known?.end(event);
    if (known !== undefined) this.runs.settled(known, event);
    this.#expected = {
      reason: `what follows the ending of ${interactionId}`,
      fits: (next) =>
        outcome === 'superseded'
          ? next.type === 'interaction_pending' && next.payload.interactionId === replacedBy
          : next.type === 'interaction_pending' &&
            !next.payload.pending &&
            next.payload.interactionId === interactionId,
    };
  }

  #updated({ payload }: EventOf<'session_updated'>): void {
    const { title, ruleAdded, ruleRevoked, queued } = payload;
    if (queued !== undefined) this.queued = queued.length;
    if (title !== undefined) this.title = title;
    if (ruleAdded !== undefined) this.rules.add(ruleAdded.id);
    if (ruleRevoked !== undefined) this.rules.delete(ruleRevoked);
  }

  #deleted(at: number): void {
    this.#hold(this.open.length === 0, 'I3', () => 'deleted with something open');
    this.deletedAt = at;
  }

  #known(
    event: EventOf<'interaction_update'> | EventOf<'interaction_response'>,
  ): InteractionModel | undefined {
    const { interactionId } = event.payload;
    const known = this.interactions.get(interactionId);
    this.#hold(known !== undefined, 'I3', () => `${event.type} of unknown ${interactionId}`);
    return known;
  }
}
