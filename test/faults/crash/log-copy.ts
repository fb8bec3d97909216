/**
 * A session's log, read from its beginning and judged event by event.
 *
 * I3: an interaction is asked once and settled at most once. I4: `seq` counts from 1 without a gap.
 * I9: no interaction expires before its deadline, and no answer counts at or after it. PEND: `interaction_pending`
 * comes right before the request and right after the response, alternating.
 * It keeps no events, only the facts that client claims are compared with.
 */
import type { EventOf, SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { Answers, Outcome } from '../../../src/protocol/schema/interaction.ts';
import type { Findings } from '../../support/findings.ts';
import { fingerprint, type SeenEvents } from '../../support/seen-events.ts';
import { marksIn, queuedMarks } from './marks.ts';

export interface KnownInteraction {
  readonly id: string;
  readonly toolCallId: string;
  readonly kind: string;
  expiresAt: number | null;
  isExtended: boolean;
  isOverdue: boolean;
  partial: Answers;
  outcome: Outcome | null;
  settledAt: number | null;
  settledBy: string;
}

/** The required next event; a torn commit would lack it. */
type Expected = { readonly what: string; readonly fits: (event: SessionEvent) => boolean };

export class LogCopy {
  readonly session: string;
  readonly #findings: Findings;
  readonly #seenEvents: SeenEvents | undefined;
  head = 0;
  /** One text for the whole log: the hash of the event and of the chain before it. */
  chain = '';
  readonly interactions = new Map<string, KnownInteraction>();
  readonly marks = new Map<string, number>();
  /** When the event that has a mark first was committed. */
  readonly askedAt = new Map<string, number>();
  readonly rules = new Set<string>();
  queued: ReadonlySet<string> = new Set();
  readonly dropped = new Set<string>();
  readonly #openByTool = new Map<string, string>();
  #previous: SessionEvent | undefined;
  #expected: Expected | undefined;

  constructor(session: string, findings: Findings, seenEvents?: SeenEvents) {
    this.session = session;
    this.#findings = findings;
    this.#seenEvents = seenEvents;
  }

  take(event: SessionEvent): void {
    if (event.seq !== this.head + 1) this.#bad('I4', `seq ${event.seq} comes after ${this.head}`);
    this.head = event.seq;
    this.chain = fingerprint(`${this.chain} ${JSON.stringify(event)}`);
    this.#seenEvents?.see(this.session, event, 'the log');
    if (this.#expected?.fits(event) === false) {
      this.#bad('PEND', `${this.#expected.what} is missing before ${show(event)}`);
    }
    this.#expected = undefined;
    this.#count(event);
    this.#judge(event);
    this.#previous = event;
  }

  /** At the end of the log no required event may be missing, because a commit is atomic. */
  close(): void {
    if (this.#expected !== undefined) {
      this.#bad('PEND', `the log ends at ${this.head} without ${this.#expected.what}`);
    }
  }

  get open(): KnownInteraction[] {
    return [...this.interactions.values()].filter(({ outcome }) => outcome === null);
  }

  #count(event: SessionEvent): void {
    for (const mark of marksIn(event, this.#about(event)?.partial ?? {})) {
      this.marks.set(mark, (this.marks.get(mark) ?? 0) + 1);
      if (!this.askedAt.has(mark)) this.askedAt.set(mark, event.at);
    }
    const queued = queuedMarks(event);
    if (queued !== undefined) this.queued = queued;
    if (event.type !== 'context_cleared') return;
    for (const mark of this.queued) this.dropped.add(mark);
    this.queued = new Set();
  }

  #about(event: SessionEvent): KnownInteraction | undefined {
    return 'interactionId' in event.payload
      ? this.interactions.get(event.payload.interactionId)
      : undefined;
  }

  #judge(event: SessionEvent): void {
    switch (event.type) {
      case 'interaction_pending':
        return this.#pending(event);
      case 'interaction_request':
        return this.#request(event);
      case 'interaction_update':
        return this.#update(event);
      case 'interaction_response':
        return this.#response(event);
      case 'session_updated': {
        const { ruleAdded, ruleRevoked } = event.payload;
        if (ruleAdded !== undefined) this.rules.add(ruleAdded.id);
        if (ruleRevoked !== undefined && !this.rules.delete(ruleRevoked)) {
          this.#bad('I3', `a rule is revoked twice: ${show(event)}`);
        }
        return;
      }
      default:
    }
  }

  #pending({ payload }: EventOf<'interaction_pending'>): void {
    const { interactionId, pending } = payload;
    const before = this.#previous;
    if (pending) {
      this.#expected = {
        what: `the request of ${interactionId}`,
        fits: (next) =>
          next.type === 'interaction_request' && next.payload.interactionId === interactionId,
      };
      return;
    }
    const follows =
      before?.type === 'interaction_response' &&
      before.payload.interactionId === interactionId &&
      before.payload.outcome !== 'superseded';
    if (!follows) this.#bad('PEND', `pending false of ${interactionId} without its response`);
  }

  #request(event: EventOf<'interaction_request'>): void {
    const { interactionId, toolCallId, kind, expiresAt } = event.payload;
    const before = this.#previous;
    const follows =
      before?.type === 'interaction_pending' &&
      before.payload.pending &&
      before.payload.interactionId === interactionId;
    if (!follows) this.#bad('PEND', `a request without its pending: ${show(event)}`);
    if (this.interactions.has(interactionId)) this.#bad('I3', `${interactionId} is asked twice`);
    const waiting = this.#openByTool.get(toolCallId);
    if (waiting !== undefined) this.#bad('I3', `${toolCallId} waits for ${waiting} already`);
    this.#openByTool.set(toolCallId, interactionId);
    this.interactions.set(interactionId, {
      id: interactionId,
      toolCallId,
      kind,
      expiresAt,
      isExtended: false,
      isOverdue: false,
      partial: {},
      outcome: null,
      settledAt: null,
      settledBy: '',
    });
  }

  #update(event: EventOf<'interaction_update'>): void {
    const { at, payload } = event;
    const known = this.interactions.get(payload.interactionId);
    if (known === undefined || known.outcome !== null) {
      return this.#bad('I3', `an update of what is not open: ${show(event)}`);
    }
    const isDue = known.expiresAt !== null && at >= known.expiresAt;
    const isByPerson = ['step', 'feedback', 'extended'].includes(payload.change);
    if (isByPerson && isDue) this.#bad('I9', `a change after the deadline: ${show(event)}`);
    if (payload.change === 'overdue') {
      if (!isDue) this.#bad('I9', `overdue before ${known.expiresAt}: ${show(event)}`);
      known.isOverdue = true;
    }
    if (payload.change === 'extended') {
      if (known.isExtended) this.#bad('I3', `extended twice: ${show(event)}`);
      known.isExtended = true;
    }
    if (payload.expiresAt !== undefined) known.expiresAt = payload.expiresAt;
    known.partial = payload.partialAnswers ?? known.partial;
  }

  #response(event: EventOf<'interaction_response'>): void {
    const { at, payload } = event;
    const { interactionId, outcome, settledBy, replacedBy } = payload;
    const known = this.interactions.get(interactionId);
    if (known === undefined) return this.#bad('I3', `a response to nothing: ${show(event)}`);
    if (known.outcome !== null) {
      return this.#bad('I3', `settled twice, ${known.outcome} at first: ${show(event)}`);
    }
    const isDue = known.expiresAt !== null && at >= known.expiresAt;
    const isByTime = settledBy.via === 'timeout';
    if (isByTime && !isDue)
      this.#bad('I9', `before its deadline ${known.expiresAt}: ${show(event)}`);
    if (!isByTime && isDue)
      this.#bad('I9', `after its deadline ${known.expiresAt}: ${show(event)}`);
    known.outcome = outcome;
    known.settledAt = at;
    known.settledBy = settledBy.subject;
    this.#openByTool.delete(known.toolCallId);
    this.#expected =
      outcome === 'superseded'
        ? {
            what: `pending true of ${replacedBy}`,
            fits: (next) =>
              next.type === 'interaction_pending' && next.payload.interactionId === replacedBy,
          }
        : {
            what: `pending false of ${interactionId}`,
            fits: (next) => next.type === 'interaction_pending' && !next.payload.pending,
          };
  }

  #bad(rule: string, evidence: string): void {
    this.#findings.add(rule, this.session, evidence);
  }
}

function show(event: SessionEvent): string {
  return JSON.stringify(event);
}
