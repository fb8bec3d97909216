/**
 * Finds the interactions that an event of an outside agent ends (PEND-9), and checks the right of the caller (APR-5).
 *
 * A result ends the interaction of its call. A turn end, an error or a new turn ends the run of its sender: the
 * interactions which that credential opened since the run began or within the turn, except `detached` ones and those
 * of another turn. An event never ends interactions or turns of another credential, unless the caller is the root of
 * that credential or an administrator and names them.
 */
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { AppendedEvent } from '../../protocol/schema/event.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import { mayReportFor } from '../authority.ts';
import type { Facts } from '../decision.ts';
import {
  findOpenForToolCall,
  listOpenInteractions,
  type SessionState,
  type SessionTurn,
} from '../state.ts';
import { findTurnById, findTurnOfCredential } from '../turns.ts';

export interface Ending {
  readonly ok: true;
  readonly cancelled: readonly Interaction[];
  readonly reason: string;
  readonly elsewhere?: Interaction['elsewhere'];
}

const NO_ENDING: Ending = { ok: true, cancelled: [], reason: '' };

export function findEnding(
  state: SessionState,
  appended: AppendedEvent,
  facts: Facts,
): Ending | Rejection {
  switch (appended.type) {
    case 'tool_result':
      return endByResult(state, appended, facts);
    case 'turn_started':
      return endRun(state, appended, facts, 'Another turn began');
    case 'turn_ended':
      return endRun(state, appended, facts, 'Turn ended');
    case 'error':
      return endRun(state, appended, facts, 'Agent failed');
    default:
      return NO_ENDING;
  }
}

type ResultEvent = Extract<AppendedEvent, { type: 'tool_result' }>;

function endByResult(
  state: SessionState,
  { toolCallId = '', payload }: ResultEvent,
  { caller }: Facts,
): Ending | Rejection {
  const open = findOpenForToolCall(state.open, toolCallId);
  if (open === undefined) return NO_ENDING;
  if (!mayReportFor(caller, open.openedBy)) {
    return rejectReport(
      'Another credential asked about this tool call; only that credential may report its result',
    );
  }
  const isFailed = payload.isError === true;
  const reason = isFailed ? 'Tool call failed' : 'Tool call finished';
  // A hook reports the result of a call that its program has run without the answer to this request.
  if (caller.via !== 'hook') return { ok: true, cancelled: [open], reason };
  const elsewhere = isFailed ? 'failed' : 'completed';
  return { ok: true, cancelled: [open], reason: `Answered at the terminal. ${reason}`, elsewhere };
}

function endRun(
  state: SessionState,
  { type, turnId }: Pick<AppendedEvent, 'type' | 'turnId'>,
  { caller }: Facts,
  reason: string,
): Ending | Rejection {
  const ownTurn = findTurnOfCredential(state.info, caller.credential);
  const namedTurn = findTurnById(state.info, turnId);
  if (
    namedTurn !== undefined &&
    namedTurn !== ownTurn &&
    isForeignTurn(state, namedTurn.by, caller)
  ) {
    return rejectReport(
      'Another credential runs this turn; only that credential may report on the turn',
    );
  }
  const isStart = type === 'turn_started';
  // A turn that is started twice goes on, and the first turn of a credential ends nothing.
  if (isStart && (ownTurn === undefined || (turnId !== undefined && ownTurn.turnId === turnId))) {
    return NO_ENDING;
  }
  const endedTurnId = isStart ? ownTurn?.turnId : (turnId ?? ownTurn?.turnId);
  const endsRun =
    isStart || turnId === undefined || (ownTurn !== undefined && endsByName(ownTurn, type, turnId));
  const open = listOpenInteractions(state).filter(({ detached }) => detached !== true);
  const inTurn = open.filter((one) => endedTurnId !== undefined && one.turnId === endedTurnId);
  const endable = inTurn.filter(({ openedBy }) => mayReportFor(caller, openedBy));
  if (namedTurn === undefined && inTurn.length > 0 && endable.length === 0) {
    return rejectReport(
      'Another credential asked in this turn; only that credential may report on the turn',
    );
  }
  const isInRun = (one: Interaction) =>
    endsRun &&
    one.openedBy.credential === caller.credential &&
    one.openedAt >= (ownTurn?.startedAt ?? 0) &&
    (one.turnId === undefined || endedTurnId === undefined);
  return {
    ok: true,
    reason,
    cancelled: open.filter((one) => endable.includes(one) || isInRun(one)),
  };
}

/** An agent that names the end of a turn may have opened interactions outside that turn; a failed agent opens no more. */
function endsByName(own: SessionTurn, type: AppendedEvent['type'], turnId: string): boolean {
  return own.turnId === undefined || (type === 'error' && own.turnId === turnId);
}

/** A turn without an owner belongs to the built-in agent, or to a log from before owners were kept. */
function isForeignTurn(
  { info }: SessionState,
  by: Interaction['openedBy'] | undefined,
  caller: Facts['caller'],
): boolean {
  return by === undefined ? info.agent !== null : !mayReportFor(caller, by);
}

function rejectReport(message: string): Rejection {
  return reject('forbidden', message, { scopes: ['admin'] });
}
