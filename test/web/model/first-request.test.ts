import { describe, expect, it } from 'vitest';
import type { InboxEntry } from '../../../src/protocol/types.ts';
import {
  findFirstRequest,
  NO_REQUESTS,
  withInbox,
  withOpened,
} from '../../../src/web/model/first-request.ts';

function entryOf(n: number, credential: string, key?: string): InboxEntry {
  return {
    openedBy: { credential, subject: 'agent', ...(key !== undefined && { key }) },
    sessionId: 's',
    sessionTitle: null,
    interactionId: `call-${n}~1`,
    toolCallId: `call-${n}`,
    toolName: 'Bash',
    kind: 'approval',
    presentation: 'tool',
    request: null,
    inputDigest: '',
    openedAt: 0,
    expiresAt: null,
  };
}

const OLD = entryOf(1, 'key_old');
const seen = withInbox(NO_REQUESTS, [OLD]);

describe('[UI-15] the first request of a key', () => {
  it('is the one that the key opened, or a token made from it', () => {
    const own = entryOf(2, 'key_new');
    const ofToken = entryOf(3, 'tok_1', 'key_2');
    const later = withOpened(seen, [entryOf(9, 'key_other'), own, ofToken, entryOf(4, 'key_new')]);
    expect(findFirstRequest(later, { key: 'key_new', own: 'admin' })).toBe(own);
    expect(findFirstRequest(later, { key: 'key_2', own: 'admin' })).toBe(ofToken);
    expect(findFirstRequest(later, { key: 'key_3', own: 'admin' })).toBeUndefined();
  });

  it('is found after a lost connection too, and listed once', () => {
    const later = withInbox(seen, [OLD, entryOf(2, 'key_new')]);
    expect(findFirstRequest(later, { key: 'key_new', own: 'x' })?.toolCallId).toBe('call-2');
    expect(withInbox(later, [OLD, entryOf(2, 'key_new'), entryOf(5, 'key_new')])).toBe(later);
  });
});

describe('[UI-15] without a key, the first request from now on', () => {
  const wanted = { key: undefined, own: 'tok_ada' };
  it('is none that was open before, and none of the person', () => {
    expect(findFirstRequest(seen, wanted)).toBeUndefined();
    expect(
      findFirstRequest(withOpened(seen, [OLD, entryOf(2, 'tok_ada')]), wanted),
    ).toBeUndefined();
  });

  it('may be of a credential that has asked before', () => {
    const again = entryOf(7, 'key_old');
    expect(findFirstRequest(withOpened(seen, [again]), wanted)).toBe(again);
  });
});
