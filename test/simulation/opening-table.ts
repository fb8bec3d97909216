/** The rows of the race table for openings: what each must get, from the latest interaction of its tool call. */
import type { CommandOf } from '../../src/protocol/schema/command.ts';
import { firstMark } from './marks.ts';
import type { Expected } from './race-table.ts';
import type { SessionModel } from './session-model.ts';

/** The latest interaction of a tool call, as an opening finds it. */
export interface LatestOfCall {
  readonly id: string;
  readonly mark: string | undefined;
  readonly outcome: string | undefined;
}

export function latestOf(
  model: SessionModel,
  toolCallId: string | undefined,
  now: number,
): LatestOfCall | undefined {
  const latest = model.latest.get(toolCallId ?? '');
  if (latest === undefined) return undefined;
  const state = latest.stateAt(now);
  const outcome = 'outcome' in state ? state.outcome : undefined;
  return { id: latest.id, mark: firstMark(latest.asked.request), outcome };
}

/** The same request gets the same interaction; another one replaces it, or is the next step. */
export function expectedOpening(
  latest: LatestOfCall | undefined,
  { common, request }: CommandOf<'interaction.open'>,
): Expected {
  const { toolCallId, reopen } = common;
  if (latest === undefined) {
    return { codes: ['ok', 'limit_reached'], interactionId: `${toolCallId}~1` };
  }
  const { outcome } = latest;
  const isAskedAgain = reopen === true && (outcome === 'cancelled' || outcome === 'expired');
  if (latest.mark === firstMark(request) && !isAskedAgain) {
    return { codes: ['ok'], interactionId: latest.id };
  }
  const [call, step] = latest.id.split('~');
  const interactionId = `${call}~${Number(step) + 1}`;
  return { codes: ['ok', 'limit_reached', 'forbidden'], interactionId };
}
