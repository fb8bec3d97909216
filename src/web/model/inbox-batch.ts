/**
 * Approvals that are decided together, of one session or of many.
 *
 * 1. Each was shown whole: a row of the list is no input. Identical inputs of one tool count as shown once, where
 *    the sessions have the same labels: staging is not production.
 * 2. A selection is a set of keys; each use looks up which of them can still be decided.
 * 3. Each decision carries the digest of what was listed, so that it cannot decide a changed request.
 */
import type { InboxDecision } from '../../client/transport.ts';
import { canonicalize } from '../../protocol/canonical-json.ts';
import type { InboxEntry, JsonObject } from '../../protocol/types.ts';
import { readApproval } from './cards/approval-input.ts';
import type { InboxItem } from './inbox.ts';
import { labelsKey } from './label-chips.ts';

const known = new WeakMap<InboxEntry, string>();

/** The same for the same tool with the same input under the same labels; of a long request only for itself. */
export function alikeKeyOf(entry: InboxEntry): string {
  let key = known.get(entry);
  if (key === undefined) {
    const input = readApproval(entry.request ?? {})?.input;
    const own = [entry.sessionId, entry.interactionId, entry.inputDigest];
    key = JSON.stringify(
      input === undefined
        ? own
        : [entry.toolName, canonicalInput(input, own), labelsKey(entry.sessionLabels)],
    );
    known.set(entry, key);
  }
  return key;
}

/** An input without a canonical text is like no other. */
function canonicalInput(input: JsonObject, own: readonly string[]): string {
  try {
    return canonicalize(input);
  } catch {
    return own.join(' ');
  }
}

/** Choices are decided on the card, which shows them. */
export function isSelectable({ entry, isOpen }: InboxItem): boolean {
  return isOpen && entry.kind === 'approval' && entry.request?.['choices'] === undefined;
}

/** The item itself is among them. */
export function findAlike(items: readonly InboxItem[], item: InboxItem): readonly InboxItem[] {
  const key = alikeKeyOf(item.entry);
  return items.filter((one) => isSelectable(one) && alikeKeyOf(one.entry) === key);
}

export function selectedItems(
  items: readonly InboxItem[],
  selected: ReadonlySet<string>,
): readonly InboxItem[] {
  return selected.size === 0
    ? []
    : items.filter((item) => selected.has(item.key) && isSelectable(item));
}

/** An approval that is offered for the session alone is decided on its card. */
export function mayApproveAll(items: readonly InboxItem[], seen: ReadonlySet<string>): boolean {
  return items.every(({ entry }) => {
    const { offers = ['once'] } = readApproval(entry.request ?? {}) ?? {};
    return offers.includes('once') && seen.has(alikeKeyOf(entry));
  });
}

export function decisionsOn(
  items: readonly InboxItem[],
  decision: 'approve' | 'deny',
  reason?: string,
): InboxDecision[] {
  return items.map(({ entry: { sessionId, interactionId, inputDigest } }) => {
    const because = reason !== undefined && reason !== '' && { reason };
    const answer: JsonObject = { decision, inputDigest, ...because };
    return { sessionId, interactionId, answer };
  });
}
