/** The characters of ids, the parts of an interaction id, and ids made of other texts. */
import { hashNatively } from './history-digest.ts';

/** The characters of a name on the wire: safe in the path of a URL. */
export const SAFE = '[A-Za-z0-9_.:-]';
export const INTERACTION_ID = new RegExp(`^(${SAFE}{1,128})~([1-9][0-9]{0,5})$`);
export const NOT_AN_INTERACTION_ID =
  'Interaction ids end in ~1, or ~2 and so on where a call asked again: call_1~1';

/** An interaction id is its tool call and its step, so that a record is found without an index. */
export function interactionId(toolCallId: string, step: number): string {
  return `${toolCallId}~${step}`;
}

export function parseInteractionId(id: string): { toolCallId: string; step: number } | undefined {
  const [, toolCallId, step] = INTERACTION_ID.exec(id) ?? [];
  return toolCallId === undefined ? undefined : { toolCallId, step: Number(step) };
}

const TOOL_CALL_ID = new RegExp(`^${SAFE}{1,128}$`);
const HASHED_ID = /^hashed:[0-9a-f]{64}$/;

/**
 * A tool call id for a text of another program. A legal id stays; any other text becomes `hashed:` and its SHA-256, and so
 * does a legal id of that form, so that no two texts have one id. An empty text names no call: it stays, and the server
 * refuses it.
 */
export async function fitToolCallId(text: string): Promise<string> {
  const isLegal = TOOL_CALL_ID.test(text) && !HASHED_ID.test(text);
  if (text === '' || isLegal) return text;
  // As JSON: UTF-8 has the same bytes for every half of a surrogate pair.
  return `hashed:${await hashNatively(JSON.stringify(text))}`;
}
