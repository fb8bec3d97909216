/** A draft is restored where it was written, and only there. */
import { expect, it } from 'vitest';
import {
  dropAnswerDraft,
  loadAnswerDraft,
  saveAnswerDraft,
} from '../../../../src/web/model/drafts.ts';

it('[UI-8] belongs to one interaction of one session, and is dropped with it', () => {
  const kept = new Map<string, string>();
  const store = {
    get: (name: string) => kept.get(name),
    set: (name: string, value: string) => void kept.set(name, value),
    remove: (name: string) => void kept.delete(name),
  };
  const here = { sessionId: 'a', interactionId: 'call~1' };
  saveAnswerDraft(store, here, { words: 'Half' });
  expect(loadAnswerDraft(store, here)).toEqual({ words: 'Half' });
  expect(loadAnswerDraft(store, { ...here, sessionId: 'b' })).toBeUndefined();
  expect(loadAnswerDraft(store, { ...here, interactionId: 'call~2' })).toBeUndefined();
  dropAnswerDraft(store, here);
  expect(kept.size).toBe(0);
  for (const spoiled of ['no json', '[]', 'null']) {
    store.set('holdpoint.answer.a.call~1', spoiled);
    expect(loadAnswerDraft(store, here)).toBeUndefined();
  }
});
