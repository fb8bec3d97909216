import { describe, expect, it } from 'vitest';
import {
  feedbackOf,
  linesOfBlocks,
  readComments,
} from '../../../../src/web/model/cards/plan-comments.ts';

describe('comments on a plan', () => {
  it('[VIEW-4] become feedback in the order of the plan, each below its quote', () => {
    const comments = [
      { quote: 'Delete  the old\nreleases', line: 12, text: ' Keep three. ' },
      { quote: 'Look', line: 3, text: 'At what?' },
    ];
    expect(feedbackOf(comments, ' Else fine.\n')).toBe(
      '> Line 3: Look\nAt what?\n\n> Line 12: Delete the old releases\nKeep three.\n\nElse fine.',
    );
    expect(feedbackOf([{ quote: 'x'.repeat(200), line: undefined, text: 'y' }], '')).toBe(
      `> ${'x'.repeat(160)}…\ny`,
    );
    expect(feedbackOf([], '')).toBe('');
  });

  it('[VIEW-4] know the line of a block by its words, and none where it is not found', () => {
    const plan = '# Move *it*\n\n1. Look\n2. **Leap** [far](https://a.example)\n\nLook\n';
    const blocks = ['Move it', 'Look', 'Leap far (a.example)', 'Look', 'Elsewhere', ''];
    expect(linesOfBlocks(plan, blocks)).toEqual([1, 3, 4, 6, undefined, undefined]);
  });

  it('[VIEW-4] of a draft that other code wrote are left out', () => {
    expect(readComments('x')).toEqual([]);
    const good = { quote: 'a', line: 1, text: 'b' };
    expect(readComments([good, { quote: 1, text: 'b' }, { quote: 'a', text: ' ' }, null])).toEqual([
      good,
    ]);
  });
});
