/** Reduces a request that passed the gate to what a rule looks at, for the workspace to try rules on. */
import { fitsInBytes } from '../../protocol/bytes.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';
import type { GatedRequest } from '../../protocol/schema/gated-request.ts';
import { digestRule } from '../digest.ts';
import { type SessionState, workingFolder } from '../state.ts';
import { isJudgedField } from './match-rule.ts';

/** Undefined for an event that is no such request. */
export function toGatedRequest(
  { info }: Pick<SessionState, 'info'>,
  event: SessionEvent,
): GatedRequest | undefined {
  const folder = workingFolder(info);
  const about = { seq: event.seq, at: event.at, ...(folder !== undefined && { folder }) };
  if (event.type === 'tool_call' && event.payload.decided !== undefined) {
    const { toolName, input, decided, wholeInput } = event.payload;
    const outcome = decided.behavior === 'allow' ? 'allowed' : 'denied';
    const reduced = reduceInput(toolName, wholeInput === undefined ? input : undefined);
    return { ...about, toolName, outcome, by: decided.by, ...reduced };
  }
  if (event.type === 'interaction_request' && event.payload.kind === 'approval') {
    const { toolName, request, wholeInput, askedBy, interactionId } = event.payload;
    const input = wholeInput === undefined ? (request.input as JsonObject) : undefined;
    const by = askedBy !== undefined && { by: askedBy };
    return {
      ...about,
      toolName,
      outcome: 'asked',
      ...by,
      interactionId,
      ...reduceInput(toolName, input),
    };
  }
  return undefined;
}

/** `input` is undefined where it is not in the log whole. */
function reduceInput(
  toolName: string,
  input: JsonObject | undefined,
): Pick<GatedRequest, 'input' | 'ruleDigest'> {
  if (input === undefined) return { input: null };
  const names = Object.keys(input);
  const judged = Object.fromEntries(
    names.map((name) => [name, isJudgedField(name) ? (input[name] ?? null) : null]),
  );
  const isSmall = (value: JsonObject) => fitsInBytes(JSON.stringify(value), LIMITS.triedInputBytes);
  if (!isSmall(judged)) return { input: null };
  return { input: judged, ...(isSmall(input) && { ruleDigest: digestRule(toolName, input) }) };
}
