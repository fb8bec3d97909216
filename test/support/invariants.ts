/**
 * The invariants that hold after every step of a session, for any command of any caller.
 *
 *  1. `seq` counts from 1 without a gap, `at` never goes back, every event has its shape.
 *  2. An interaction has one request and at most one response; nothing comes after the response.
 *  3. `pending: true` stands right before the request and `pending: false` right after the response,
 *     in turns per tool call; a reprompt is a response, and then its own pending and its request.
 *  4. A tool call has at most one open interaction.
 *  5. Nothing expires before its deadline; no person's answer, step or extension counts at or after it;
 *     nothing that was due is left undone.
 *  6. Only a caller with the right to answer approves; a deadline gives only the answer that the opener declared. An agent
 *     completes only a link that a person opened.
 *  7. An agent alone changes no mode and no rule, and ends only its own: by asking again, by reporting that
 *     a tool or turn is over, or by a cancel.
 *  8. The log folds to the stored state; the open records are those of the state.
 *  9. A settled record never changes again, but that a person takes a decision back, once, and asks the same again.
 * 10. A refusal leaves no event; text waits only while something is open, and becomes a message once.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Caller, mayAct } from '../../src/protocol/caller.ts';
import {
  type EventOf,
  type SessionEvent,
  SessionEventSchema,
} from '../../src/protocol/schema/event.ts';
import { Interaction } from '../../src/protocol/schema/interaction.ts';
import { isDue } from '../../src/core/deadlines.ts';
import type { DecisionResult } from '../../src/core/decision.ts';
import { foldLog } from './fold-log.ts';
import type { SessionState } from '../../src/core/state.ts';
import type { Cause, CoreWorld } from './core-world.ts';

export class Invariants {
  readonly #world: CoreWorld;
  #checked = 0;
  #folded: SessionState | null = null;
  readonly #deadlines = new Map<string, number | null>();
  readonly #waiting = new Map<string, string>();
  readonly #messageTexts = new Set<string>();
  readonly #marked = new Set<string>();
  readonly #settled = new Map<string, Interaction>();

  constructor(world: CoreWorld) {
    this.#world = world;
  }

  /** Throws with the number of the broken invariant. */
  check(decided: DecisionResult): void {
    const { log } = this.#world;
    const fresh = log.slice(this.#checked);
    for (const event of fresh) this.#checkEvent(event);
    this.#checkPairs(log, this.#checked);
    this.#checked = log.length;
    this.#checkState();
    this.#checkRecords(fresh);
    if (decided.ok) {
      hold(!isDue(this.#world.state, this.#world.now), 5, 'something is due still');
      const { records } = this.#world;
      for (const [id, record] of decided.records) {
        hold(isDeepStrictEqual(record, records.get(id)), 8, `${id} is decided as another one`);
      }
    } else {
      const caused = fresh.every(({ seq }) => this.#causeOf(seq).command.type === 'deadlines.run');
      hold(caused && !('events' in decided), 10, 'a refusal left events');
    }
  }

  #causeOf(seq: number): Cause {
    return this.#world.causes.get(seq) as Cause;
  }

  #checkEvent(event: SessionEvent): void {
    const before = this.#world.log[event.seq - 2];
    hold(this.#world.log[event.seq - 1] === event, 1, `seq ${event.seq} is out of place`);
    hold(before === undefined || before.at <= event.at, 1, 'time went back');
    hold(SessionEventSchema.safeParse(event).success, 1, `shape of ${JSON.stringify(event)}`);
    const cause = this.#causeOf(event.seq);
    if (event.type === 'interaction_request') this.#checkRequest(event);
    if (event.type === 'interaction_update') this.#checkUpdate(event);
    if (event.type === 'interaction_response') this.#checkResponse(event, cause);
    if (event.type === 'user_message') {
      const id = event.payload.messageId ?? '';
      hold(!this.#messageTexts.has(id), 10, `message ${id} is said twice`);
      this.#messageTexts.add(id);
    }
    if (isAgentOnly(cause.caller)) checkAgentEvent(event, cause, this.#world);
  }

  #checkRequest({ payload }: EventOf<'interaction_request'>): void {
    const { interactionId, toolCallId, expiresAt } = payload;
    hold(!this.#deadlines.has(interactionId), 2, `${interactionId} is asked twice`);
    hold(!this.#waiting.has(toolCallId), 4, `${toolCallId} has two open`);
    this.#waiting.set(toolCallId, interactionId);
    this.#deadlines.set(interactionId, expiresAt);
  }

  #checkUpdate({ at, payload }: EventOf<'interaction_update'>): void {
    const { interactionId, toolCallId, change, expiresAt } = payload;
    if (change === 'undone') {
      hold(!this.#waiting.has(toolCallId), 4, `${interactionId} is taken back while one is open`);
      hold(this.#settled.has(interactionId), 9, `${interactionId} was not decided`);
      this.#settled.delete(interactionId);
      return;
    }
    hold(this.#waiting.get(toolCallId) === interactionId, 2, `an update of ${interactionId}`);
    const deadline = this.#deadlines.get(interactionId) ?? null;
    const isOver = deadline !== null && at >= deadline;
    const isTimes = change === 'reminder' || change === 'escalated' || change === 'overdue';
    if (!isTimes) hold(!isOver, 5, `${change} after the deadline`);
    if (change === 'overdue') hold(isOver, 5, 'overdue before the deadline');
    if (isTimes) {
      hold(!this.#marked.has(`${interactionId} ${change}`), 5, `${change} is said twice`);
      this.#marked.add(`${interactionId} ${change}`);
    }
    if (expiresAt !== undefined) this.#deadlines.set(interactionId, expiresAt);
  }

  #checkResponse({ at, payload }: EventOf<'interaction_response'>, cause: Cause): void {
    const { interactionId, toolCallId, outcome, settledBy, defaulted } = payload;
    hold(this.#waiting.get(toolCallId) === interactionId, 2, `a response to ${interactionId}`);
    this.#waiting.delete(toolCallId);
    const deadline = this.#deadlines.get(interactionId) ?? null;
    const isOver = deadline !== null && at >= deadline;
    const byTime = settledBy.via === 'timeout';
    hold(isOver === byTime, 5, `${outcome} by ${settledBy.via}, over: ${isOver}`);
    hold(byTime === (cause.command.type === 'deadlines.run'), 5, 'time acts by its own command');
    hold(byTime === (outcome === 'expired' || defaulted === true), 6, `time said ${outcome}`);
    if (outcome === 'approved' || outcome === 'denied') {
      hold(!byTime && mayAct(cause.caller, 'answer'), 6, `${outcome} by ${cause.caller.subject}`);
      hold(settledBy.subject === cause.caller.subject, 6, 'settled in the name of another');
    }
    if (outcome === 'answered' && !byTime) {
      const isAnswer = mayAct(cause.caller, 'answer');
      hold(
        isAnswer || this.#isCompletion(interactionId, cause),
        6,
        `answered by ${cause.caller.subject}`,
      );
    }
    if (byTime) {
      const { onExpire } = this.#world.record(interactionId);
      const declared = onExpire === 'deny' ? 'expired' : 'answered';
      hold(onExpire !== 'keep' && outcome === declared, 6, `time said ${outcome}`);
    }
  }

  /** The agent ends the wait that a person began by opening its link. */
  #isCompletion(interactionId: string, { command }: Cause): boolean {
    const { kind, linkOpened } = this.#world.record(interactionId);
    return command.type === 'interaction.complete' && kind === 'link' && linkOpened === true;
  }

  /** Checks neighboring events; the last event of a commit has no successor yet, and needs none. */
  #checkPairs(log: readonly SessionEvent[], from: number): void {
    for (let index = from; index < log.length; index += 1) {
      const [before, event, after] = [log[index - 1], log[index], log[index + 1]];
      if (event?.type === 'interaction_request') {
        const { interactionId } = event.payload;
        hold(isPending(before, interactionId, true), 3, `before the request of ${interactionId}`);
      }
      if (event?.type === 'interaction_response') {
        const { interactionId, outcome } = event.payload;
        const { replacedBy = '' } = event.payload;
        const fits =
          outcome === 'superseded'
            ? isPending(after, replacedBy, true)
            : isPending(after, interactionId, false);
        hold(fits, 3, `after the response of ${interactionId}`);
      }
      if (event?.type === 'interaction_pending') {
        const { interactionId, pending } = event.payload;
        const beside = pending ? after : before;
        const type = pending ? 'interaction_request' : 'interaction_response';
        const fits = beside?.type === type && beside.payload.interactionId === interactionId;
        hold(fits, 3, `pending ${pending} of ${interactionId} stands alone`);
      }
    }
  }

  #checkState(): void {
    const { log, state, address } = this.#world;
    const from = this.#folded?.head ?? 0;
    this.#folded = foldLog(this.#folded, log.slice(from), address);
    hold(isDeepStrictEqual(this.#folded, state), 8, 'the log folds to another state');
    if (state === null) return;
    hold(state.head === log.length, 8, 'the head is not the length of the log');
    const waiting = [...this.#waiting.values()].toSorted();
    hold(isDeepStrictEqual([...state.open.keys()].toSorted(), waiting), 8, 'the open ones differ');
    const lost = state.info.queued.length > 0 && state.open.size === 0;
    hold(!lost || state.info.deletedAt !== null, 10, 'text waits for nothing');
  }

  #checkRecords(fresh: readonly SessionEvent[]): void {
    const { records, state } = this.#world;
    for (const event of fresh) {
      if (!('interactionId' in event.payload)) continue;
      const record = records.get(event.payload.interactionId);
      const shaped = Interaction.safeParse(record);
      hold(shaped.success, 8, `shape of ${JSON.stringify(record)}`);
    }
    for (const [id, record] of records) {
      const earlier = this.#settled.get(id);
      hold(earlier === undefined || earlier === record, 9, `${id} changed after it was settled`);
      const { undone, replacedBy } = record;
      const again = records.get(replacedBy ?? '');
      const isAsked = again !== undefined && isDeepStrictEqual(again.request, record.request);
      const isAgain = isAsked && again.undoes?.interactionId === id;
      hold(undone === undefined || isAgain, 9, `${id} is not asked again`);
      if (record.status === 'settled') this.#settled.set(id, record);
      const open = state?.open.get(id);
      const expected = record.status === 'open' ? record : undefined;
      hold(isDeepStrictEqual(open, expected), 8, `${id} is another one in the state`);
    }
  }
}

function isAgentOnly(caller: Caller): boolean {
  return mayAct(caller, 'agent') && !mayAct(caller, 'answer') && !mayAct(caller, 'send');
}

function checkAgentEvent(event: SessionEvent, cause: Cause, world: CoreWorld): void {
  const { command, caller } = cause;
  if (event.type === 'session_updated') {
    const { by: _, queued, cliSession, ...changes } = event.payload;
    const mayBe = queued?.length === 0 || cliSession !== undefined;
    hold(mayBe && Object.keys(changes).length === 0, 7, 'an agent changed settings');
  }
  if (event.type === 'session_started') {
    const { permissionMode } = event.payload;
    hold(
      permissionMode === 'default' || permissionMode === 'plan',
      7,
      `began in ${permissionMode}`,
    );
  }
  if (event.type !== 'interaction_response') return;
  const { outcome, interactionId } = event.payload;
  const isOwn = world.record(interactionId).openedBy.credential === caller.credential;
  const by: Partial<Record<string, readonly string[]>> = {
    superseded: ['interaction.open', 'interactions.open'],
    answered: ['interaction.complete'],
  };
  const allowed = by[outcome]?.includes(command.type) ?? outcome === 'cancelled';
  hold(isOwn && allowed, 7, `an agent made it ${outcome} by ${command.type}`);
}

function isPending(event: SessionEvent | undefined, id: string, pending: boolean): boolean {
  if (event?.type !== 'interaction_pending') return false;
  return event.payload.interactionId === id && event.payload.pending === pending;
}

function hold(claim: boolean, rule: number, evidence: string): void {
  if (!claim) throw new Error(`Invariant ${rule}: ${evidence}`);
}
