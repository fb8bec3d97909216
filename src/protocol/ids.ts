/** The characters of ids, and the parts of an interaction id. */

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
