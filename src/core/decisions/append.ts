/**
 * Appends the events of an agent that runs elsewhere.
 *
 * Some of these events end interactions, which `end-run.ts` finds. A result settles its interaction right after itself;
 * the end of a run settles its interactions right before itself. A batch is accepted whole or not at all.
 *
 * A session with a built-in agent accepts turns and their ends from that agent alone, and results only for calls that
 * the reporter asked about. The turn of another agent would replace the built-in agent's turn, whose interactions would
 * stay open without effect. A result from outside would show people an outcome that never happened.
 */
import { isOwnedBy, openerOf } from '../../protocol/caller.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { AppendedEvent, DraftEvent } from '../../protocol/schema/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { rejectIfLogFull } from '../rejections.ts';
import { drainQueue, addEvents, startDraft } from '../session-draft.ts';
import type { SessionState } from '../state.ts';
import { listRunningTurns } from '../turns.ts';
import { cancelEvents } from './cancel.ts';
import { type Ending, findEnding } from './end-run.ts';

export function appendEvents(
  state: SessionState,
  command: CommandOf<'events.append'>,
  facts: Facts,
): DecisionResult {
  if (command.events.length > LIMITS.eventsPerBatch) {
    return reject('limit_reached', 'Too many events in one batch; split the batch', {
      limit: 'eventsPerBatch',
      max: LIMITS.eventsPerBatch,
    });
  }
  const outside = rejectOutsideEvents(state, command.events, facts);
  if (outside !== undefined) return outside;
  const full = rejectIfLogFull(state, command.events.length);
  let draft = startDraft(state);
  for (const appended of command.events) {
    const ending = findEnding(draft.state, appended, facts);
    if (!ending.ok) return ending;
    const next = addEvents(draft, expandEvent(appended, ending, facts), facts.now);
    const isEnd = appended.type !== 'turn_started' && isLessOpen(draft.state, next.state);
    if (full !== undefined && !isEnd) return full;
    draft = next;
  }
  return accept(drainQueue(draft, facts.now), { type: 'done' });
}

/** A full log accepts events that end an interaction or a turn. Neither can start in a full log, so their number is bounded. */
function isLessOpen(before: SessionState, after: SessionState): boolean {
  const turns = ({ info }: SessionState) => listRunningTurns(info).length;
  return after.open.size < before.open.size || turns(after) < turns(before);
}

function expandEvent(appended: AppendedEvent, ending: Ending, facts: Facts): DraftEvent[] {
  const settled = cancelEvents(ending.cancelled, facts, ending.reason, ending.elsewhere);
  const by = openerOf(facts.caller);
  switch (appended.type) {
    case 'tool_result':
      return [appended, ...settled];
    case 'turn_started':
      return [...settled, { ...appended, payload: { ...appended.payload, by } }];
    case 'turn_ended':
      return [...settled, { ...appended, payload: { ...appended.payload, by } }];
    case 'error':
      return [...settled, { ...appended, payload: { ...appended.payload, by } }];
    default:
      return [appended];
  }
}

function rejectOutsideEvents(
  { info }: SessionState,
  events: readonly AppendedEvent[],
  { caller, askers }: Facts,
): Rejection | undefined {
  if (info.agent === null) return undefined;
  for (const { type, toolCallId = '' } of events) {
    if (type === 'turn_started') {
      return reject(
        'invalid_request',
        'Only the built-in agent of this session starts turns; send a message to start one',
      );
    }
    if (type === 'turn_ended') {
      return reject(
        'forbidden',
        'Only the built-in agent of this session ends its turns; interrupt the session to stop one',
      );
    }
    const asker = askers?.get(toolCallId);
    if (type === 'tool_result' && (asker === undefined || !isOwnedBy(caller, asker))) {
      return reject(
        'forbidden',
        'This session has a built-in agent; report results only of calls that you asked about',
      );
    }
  }
  return undefined;
}
