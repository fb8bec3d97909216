/** The shapes of the names things have on the wire. All of them are safe in a URL path. */
import * as z from 'zod';

const SAFE = '[A-Za-z0-9_.:-]';

export const SessionId = z
  .string()
  .regex(
    new RegExp(`^(?![.])${SAFE}{1,128}$`),
    'Use 1 to 128 of A-Z a-z 0-9 _ . : - (not starting with a dot)',
  );
export const ToolCallId = z
  .string()
  .regex(new RegExp(`^${SAFE}{1,128}$`), 'Use 1 to 128 of A-Z a-z 0-9 _ . : -');
export const TurnId = ToolCallId;
export const ResponseId = ToolCallId;
const INTERACTION_ID = new RegExp(`^(${SAFE}{1,128})~([1-9][0-9]{0,5})$`);
export const NOT_AN_INTERACTION_ID =
  'Interaction ids end in ~1, or ~2 and so on where a call asked again: call_1~1';
export const InteractionId = z.string().regex(INTERACTION_ID, NOT_AN_INTERACTION_ID);
export const IdempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,128}$/, 'Use 8 to 128 of A-Z a-z 0-9 _ -');

/** An interaction id is its tool call and its step, so that a record is found without an index. */
export function interactionId(toolCallId: string, step: number): string {
  return `${toolCallId}~${step}`;
}

export function parseInteractionId(id: string): { toolCallId: string; step: number } | undefined {
  const [, toolCallId, step] = INTERACTION_ID.exec(id) ?? [];
  return toolCallId === undefined ? undefined : { toolCallId, step: Number(step) };
}
