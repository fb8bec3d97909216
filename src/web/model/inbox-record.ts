/** An inbox entry as the record that a card draws, with neutral values for what the list lacks. */
import type { Interaction } from '../../protocol/types.ts';
import type { InboxItem } from './inbox.ts';

/** The kinds whose cards need only what the list has. */
const IN_PLACE = ['approval', 'question'];

export function canAnswerInPlace({ entry }: InboxItem): boolean {
  return entry.request !== null && IN_PLACE.includes(entry.kind);
}

export function recordOfItem({ entry, isOpen }: InboxItem): Interaction {
  const {
    sessionId: _session,
    sessionTitle: _title,
    beyondShare: _beyond,
    request,
    ...listed
  } = entry;
  return {
    ...listed,
    request: request ?? {},
    requestDigest: '',
    timeoutMs: null,
    onExpire: 'deny',
    status: isOpen ? 'open' : 'settled',
    outcome: null,
    settledAt: null,
    settledBy: null,
    rev: 0,
  };
}
