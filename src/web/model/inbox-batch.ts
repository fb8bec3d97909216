/**
 * Approvals that are decided together: of one tool, in one session, each seen in full.
 *
 * A selection is a set of keys; each use looks up which of them can still be decided.
 */
import { DECISIONS_PER_BATCH } from '../../protocol/limits.ts';
import type { BatchDecision } from '../../client/transport.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { readApproval } from './cards/approval-input.ts';
import type { InboxItem } from './inbox.ts';
import { hidesPart } from './folding.ts';

function batchGroupOf({ entry, isOpen }: InboxItem): string | undefined {
  const { kind, request } = entry;
  // Choices are decided on the card, which shows them.
  const isOne =
    isOpen && kind === 'approval' && request !== null && request['choices'] === undefined;
  return isOne ? JSON.stringify([entry.sessionId, entry.toolName]) : undefined;
}

/** Groups of at least two items: a single item is decided on its card. */
export function findBatchGroups(items: readonly InboxItem[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const group = batchGroupOf(item);
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), item.key]);
  }
  const alike = [...groups].filter(([, keys]) => keys.length > 1);
  return new Map(alike.flatMap(([group, keys]) => keys.map((key) => [key, group])));
}

/** Selecting an item of another group clears the selection. */
export function toggleChosen(
  chosen: readonly string[],
  key: string,
  groups: ReadonlyMap<string, string>,
): readonly string[] {
  if (chosen.includes(key)) return chosen.filter((one) => one !== key);
  const alike = chosen.filter((one) => groups.get(one) === groups.get(key));
  return [...alike, key].slice(0, DECISIONS_PER_BATCH);
}

export function chosenItems(
  items: readonly InboxItem[],
  chosen: readonly string[],
  groups: ReadonlyMap<string, string>,
): readonly InboxItem[] {
  return items.filter(({ key }) => chosen.includes(key) && groups.has(key));
}

/** An item with a folded part is not approved in a batch. */
export function mayApproveAll(items: readonly InboxItem[]): boolean {
  return items.every(({ entry }) => {
    const request = readApproval(entry.request ?? {});
    const offers = request?.offers ?? ['once'];
    return request !== undefined && offers.includes('once') && !hidesPart(request.input);
  });
}

export function decisionsOn(
  items: readonly InboxItem[],
  decision: 'approve' | 'deny',
): BatchDecision[] {
  return items.map(({ entry: { interactionId, inputDigest } }) => {
    const answer: JsonObject = { decision, inputDigest };
    return { interactionId, answer };
  });
}
