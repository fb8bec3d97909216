/**
 * Adds the conversation of a command-line agent to a session, and logs imports of its history.
 *
 * A session with a built-in agent accepts neither: the log is its history, and the screen would show the imported history
 * instead.
 */
import { settlerOf } from '../../protocol/caller.ts';
import { isSameCliSession } from '../../protocol/cli-sessions.ts';
import { reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { rejectIfLogFull } from '../rejections.ts';
import { draftEvents } from '../session-draft.ts';
import type { SessionState } from '../state.ts';

export const UNKNOWN_CLI_SESSION = reject(
  'not_found',
  'This CLI session does not belong to this session; add it with PUT /v1/sessions/{id}/cli first',
);

/** A repeat logs nothing, unless the folder or the model has changed. */
export function addCliSession(
  state: SessionState,
  { cli }: CommandOf<'cli.map'>,
  facts: Facts,
): DecisionResult {
  if (state.info.agent !== null) {
    return reject(
      'invalid_request',
      'This session has a built-in agent; begin another session for a command-line agent',
    );
  }
  const known = state.info.cliSessions ?? [];
  const found = known.find((one) => isSameCliSession(one, cli));
  if (found !== undefined && found.cwd === cli.cwd && found.model === cli.model) {
    return accept(draftEvents(state, [], facts.now), { type: 'session' });
  }
  if (found === undefined && known.length >= LIMITS.cliSessions) {
    return reject(
      'limit_reached',
      `This session has ${LIMITS.cliSessions} CLI sessions already; begin another session`,
      { limit: 'cliSessions', max: LIMITS.cliSessions },
    );
  }
  const full = rejectIfLogFull(state, 1);
  if (full !== undefined) return full;
  const event: DraftEvent = {
    type: 'session_updated',
    payload: { cliSession: cli, by: settlerOf(facts.caller) },
  };
  return accept(draftEvents(state, [event], facts.now), { type: 'session' });
}

/** An import adds one event to the log; its entries are stored beside the log and do not count as events. */
export function logImport(
  state: SessionState,
  { provider, cliSessionId, entries, rev, digest }: CommandOf<'history.import'>,
  facts: Facts,
): DecisionResult {
  const imported = { provider, cliSessionId, entries, rev };
  if (!(state.info.cliSessions ?? []).some((one) => isSameCliSession(one, imported))) {
    return UNKNOWN_CLI_SESSION;
  }
  const full = rejectIfLogFull(state, 1);
  if (full !== undefined) return full;
  const event: DraftEvent = { type: 'history_imported', payload: imported };
  return accept(draftEvents(state, [event], facts.now), { type: 'history', entries, digest, rev });
}
