/** Two calls in one answer: each runs as soon as it is allowed, and the agent continues when both have ended. */
import { type TurnResult, type Scenario, lastResults, quoteResult } from '../scenario.ts';

function describeResult({ toolName, ...result }: TurnResult): string {
  const how = result.isError ? 'failed' : 'is done';
  return `${toolName} ${how}: ${quoteResult({ toolName, ...result })}.`;
}

export const parallelScenario: Scenario = {
  word: 'parallel',
  about: 'I read and write at the same time, and ask for both. Decide in any order.',
  play(input) {
    const results = lastResults(input);
    if (results.length === 0) {
      return {
        text: 'I read one file and write another. Each waits for you, unless you have allowed it for this session.',
        calls: [
          { name: 'Read', input: { path: 'hello.md' } },
          {
            name: 'Write',
            input: { path: 'copy.md', content: 'A copy, made by the demo model.\n' },
          },
        ],
      };
    }
    return { text: `Both came back together. ${results.map(describeResult).join(' ')}` };
  },
};
