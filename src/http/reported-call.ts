/**
 * A reported tool call as a command: by `POST …/tool-calls`, and by a hook that asks about it. Both report under the id of the
 * call, so a program that does both is shown once.
 */
import { hashText } from '../core/digest.ts';
import { callPayload } from '../core/whole-input.ts';
import { canonicalize } from '../protocol/canonical-json.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { CommandOf, Context } from '../protocol/schema/command.ts';

interface CallReport {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: JsonObject;
  /** The input, where only text carries it without loss. */
  readonly inputText: string | undefined;
  readonly turnId?: string | undefined;
  readonly responseId?: string | undefined;
}

export function reportedCall({
  toolCallId,
  toolName,
  input,
  inputText,
  turnId,
  responseId,
}: CallReport): {
  readonly command: CommandOf<'events.append'>;
  readonly idempotency: NonNullable<Context['idempotency']>;
} {
  const where = {
    toolCallId,
    ...(turnId !== undefined && { turnId }),
    ...(responseId !== undefined && { responseId }),
  };
  const payload = callPayload(toolName, input, inputText);
  const sent = inputText === undefined ? { input } : { inputText };
  const bodyHash = hashText(canonicalize({ ...where, payload: { toolName, ...sent } }));
  return {
    command: { type: 'events.append', events: [{ type: 'tool_call', ...where, payload }] },
    idempotency: { key: toolCallId, bodyHash, isToolCall: true },
  };
}
