/** Two calls in one answer: each is done as soon as it may be, and the agent goes on when both are. */
import { type HeardResult, type Scene, lastResults, quoted } from '../scene.ts';

function told({ toolName, ...result }: HeardResult): string {
  const how = result.isError ? 'failed' : 'is done';
  return `${toolName} ${how}: ${quoted({ toolName, ...result })}.`;
}

export const parallel: Scene = {
  word: 'parallel',
  about: 'I read and write at the same time, and ask for both. Decide in any order.',
  play(heard) {
    const results = lastResults(heard);
    if (results.length === 0) {
      return {
        text: 'I read one file and write another. Each waits for you, unless you have allowed it for this session.',
        calls: [
          { name: 'Read', input: { path: 'hello.md' } },
          { name: 'Write', input: { path: 'copy.md', content: 'A copy, made in a rehearsal.\n' } },
        ],
      };
    }
    return { text: `Both came back together. ${results.map(told).join(' ')}` };
  },
};
