/** Two calls in one answer: the one that needs nobody is done while the other waits. */
import { type HeardResult, type Scene, lastResults, quoted } from '../scene.ts';

function told({ toolName, ...result }: HeardResult): string {
  const how = result.isError ? 'failed' : 'is done';
  return `${toolName} ${how}: ${quoted({ toolName, ...result })}.`;
}

export const parallel: Scene = {
  word: 'parallel',
  about: 'I read and write at the same time; only the writing waits for you.',
  play(heard) {
    const results = lastResults(heard);
    if (results.length === 0) {
      return {
        text: 'I read one file and write another. Reading needs nobody; writing waits for you.',
        calls: [
          { name: 'Read', input: { path: 'hello.md' } },
          { name: 'Write', input: { path: 'copy.md', content: 'A copy, made in a rehearsal.\n' } },
        ],
      };
    }
    return { text: `Both came back together. ${results.map(told).join(' ')}` };
  },
};
