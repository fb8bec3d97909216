/** A call fails while the approval of another call is open. */
import { type Scenario, lastResults, quoteResult } from '../scenario.ts';

const MISSING_PATH = 'notes/not-there.md';

export const failScenario: Scenario = {
  word: 'fail',
  about: 'A tool fails while an approval is open.',
  play(input) {
    const results = lastResults(input);
    if (results.length === 0) {
      return {
        text: 'I read and change a file that is not there. Let me read it: that fails, while the change still asks you.',
        calls: [
          { name: 'Read', input: { path: MISSING_PATH } },
          { name: 'Edit', input: { path: MISSING_PATH, oldText: 'draft', newText: 'final' } },
        ],
      };
    }
    const failed = results.filter(({ isError }) => isError);
    if (failed.length === 0) return { text: 'Nothing failed: somebody has put that file there.' };
    const reasons = failed.map((result) => `${result.toolName}: ${quoteResult(result)}`).join('; ');
    return {
      text: `I was told about it and can go on. ${reasons}. I would create the file first.`,
    };
  },
};
