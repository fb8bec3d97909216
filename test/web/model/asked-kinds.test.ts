/** What waits in each session, for the list of sessions. A bug here calls a plan an approval. */
import { expect, it } from 'vitest';
import { type AskedKinds, kindAskedBy, noteAsked } from '../../../src/web/model/asked-kinds.ts';
import type { InboxEntry } from '../../../src/protocol/types.ts';

const entry = (sessionId: string, interactionId: string, kind = 'approval') =>
  ({ sessionId, interactionId, kind }) as InboxEntry;
const NONE: AskedKinds = new Map();
const page = (...interactions: readonly InboxEntry[]) => noteAsked(NONE, { interactions });

it('[DAILY-4] is the kind of all requests of a session, and nothing where they differ', () => {
  const kinds = page(entry('s', 'a'), entry('s', 'b'), entry('t', 'c', 'form'), entry('t', 'd'));
  expect(kindAskedBy(kinds, { id: 's', open: 2 })).toBe('approval');
  expect(kindAskedBy(kinds, { id: 't', open: 2 })).toBeUndefined();
});

it('[DAILY-4] is unknown while the inbox has not shown every request of the session', () => {
  expect(kindAskedBy(page(entry('s', 'a')), { id: 's', open: 2 })).toBeUndefined();
  expect(kindAskedBy(NONE, { id: 's', open: 0 })).toBeUndefined();
});

it('[DAILY-4] follows changes, and a new first page is the truth', () => {
  let kinds = page(entry('s', 'a'));
  kinds = noteAsked(kinds, { sessionId: 's', upserts: [entry('s', 'b', 'form')], removed: ['a'] });
  expect(kindAskedBy(kinds, { id: 's', open: 1 })).toBe('form');
  kinds = noteAsked(kinds, { interactions: [entry('t', 'c')] });
  expect(kindAskedBy(kinds, { id: 's', open: 1 })).toBeUndefined();
  expect(kindAskedBy(kinds, { id: 't', open: 1 })).toBe('approval');
});
