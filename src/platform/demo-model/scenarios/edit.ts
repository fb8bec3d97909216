/** A file with an obvious mistake, which the person can correct in the approval. */
import { type Scenario, lastResults, quoteResult } from '../scenario.ts';

export const editScenario: Scenario = {
  word: 'edit',
  about: 'I write a file with a mistake in it. Change the input before you approve.',
  play(input) {
    const [result] = lastResults(input);
    if (result === undefined) {
      const content = 'Dear all,\n\nwe meet on Thurzday at 9.\n';
      return {
        text: 'Here is an invitation. There is a mistake in it: edit the text before you approve it.',
        calls: [{ name: 'Write', input: { path: 'invitation.txt', content } }],
      };
    }
    return result.isError
      ? { text: `The invitation was not written: ${quoteResult(result)}.` }
      : {
          text: `The tool reported: ${quoteResult(result)}. What ran is what you approved, not what I had proposed.`,
        };
  },
};
