/** One file is written after a person has approved it. */
import { type Scenario, lastResults, quoteResult } from '../scenario.ts';

export const writeScenario: Scenario = {
  word: 'write',
  about: 'I write a file, and you approve it or not.',
  play(input) {
    const [result] = lastResults(input);
    if (result === undefined) {
      const content = '# Hello\n\nThis file was written by the demo model.\n';
      return {
        text: 'I would like to write a short file. Have a look at it and decide.',
        calls: [{ name: 'Write', input: { path: 'hello.md', content } }],
      };
    }
    return result.isError
      ? { text: `The file was not written: ${quoteResult(result)}. I leave it at that.` }
      : {
          text: `Done. The tool reported: ${quoteResult(result)}. Write “parallel” to see it read.`,
        };
  },
};
