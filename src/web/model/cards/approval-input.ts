/** The input of a tool call as a person decides on it, and its target. */
import { isObject, type JsonObject } from '../../../protocol/types.ts';
import type { ApprovalRequest } from '../../../protocol/schema/kinds/approval.ts';

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
