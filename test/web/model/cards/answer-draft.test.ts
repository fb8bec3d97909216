/** A draft is found again where it was written, and nowhere else. */
import { expect, it } from 'vitest';
import { dropDraft, keepDraft, keptDraft } from '../../../../src/web/model/cards/answer-draft.ts';

it('[UI-8] belongs to one interaction of one session, and is gone when that is over', () => {
  const kept = new Map<string, string>();
  const keep = {
    get: (name: string) => kept.get(name),
    set: (name: string, value: string) => void kept.set(name, value),
    remove: (name: string) => void kept.delete(name),
  };
  const here = { sessionId: 'a', interactionId: 'call~1' };
  keepDraft(keep, here, { words: 'Half' });
  expect(keptDraft(keep, here)).toEqual({ words: 'Half' });
  expect(keptDraft(keep, { ...here, sessionId: 'b' })).toBeUndefined();
  expect(keptDraft(keep, { ...here, interactionId: 'call~2' })).toBeUndefined();
  dropDraft(keep, here);
  expect(kept.size).toBe(0);
  for (const spoiled of ['no json', '[]', 'null']) {
    keep.set('holdpoint.answer.a.call~1', spoiled);
    expect(keptDraft(keep, here)).toBeUndefined();
  }
});
