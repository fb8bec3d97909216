/** The input of a tool call as a person decides on it: its target, and its text for editing. */
import { isObject, type Interaction, type JsonObject } from '../../../protocol/types.ts';
import type { ApprovalRequest } from '../../../protocol/schema/kinds/approval.ts';
import { visibleParts } from '../../../protocol/escapes.ts';

/** Undefined for a request that is not an approval of this product. */
export function readApproval(request: JsonObject): ApprovalRequest | undefined {
  const { input, offers = [], description = '' } = request;
  const isOne =
    isObject(input) &&
    typeof description === 'string' &&
    Array.isArray(offers) &&
    offers.every((offer) => offer === 'once' || offer === 'session');
  return isOne ? (request as unknown as ApprovalRequest) : undefined;
}

/** The fields in which tools name their target; the first one present is shown beside the tool name. */
const TARGETS = ['command', 'file_path', 'path', 'url', 'query', 'pattern', 'to', 'name'];
const TARGET_CHARS = 120;

/** One shortened line: the full input is shown below. */
export function targetOf(input: JsonObject): string | undefined {
  for (const name of TARGETS) {
    const value = input[name];
    if (typeof value !== 'string' || value.trim() === '') continue;
    const line = value.trim().split('\n', 1)[0] ?? '';
    const isCut = line.length > TARGET_CHARS || line.length < value.trim().length;
    const kept = line.slice(0, TARGET_CHARS).replace(/[\uD800-\uDBFF]$/, '');
    return isCut ? `${kept} …` : kept;
  }
  return undefined;
}

/** A person approved another input than was asked for. */
export function wasEdited({ outcome, updatedInput, request }: Interaction): boolean {
  const { input } = request;
  return (
    outcome === 'approved' &&
    updatedInput !== undefined &&
    JSON.stringify(updatedInput) !== JSON.stringify(input)
  );
}

/** JSON with invisible characters escaped: a text field would apply an override of the reading order. */
export function editableJson(input: JsonObject): string {
  return visibleParts(JSON.stringify(input, null, 2))
    .map(({ text, isEscape }) => (isEscape ? jsonEscape(text) : text))
    .join('');
}

/** `\u{E0041}` is not JSON; the two surrogates are. */
function jsonEscape(spelled: string): string {
  const code = /^\\u\{(\w+)\}$/.exec(spelled)?.[1];
  if (code === undefined) return spelled;
  const character = String.fromCodePoint(Number.parseInt(code, 16));
  return [...Array(character.length).keys()]
    .map((at) => String.raw`\u${character.charCodeAt(at).toString(16).toUpperCase()}`)
    .join('');
}
