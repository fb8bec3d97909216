/** The calls that the model of these tests makes. */
import { AgentWorld } from '../support/agent-world.ts';
import { SqliteStorage } from '../support/session-storage.ts';

export const WRITE = { id: 'toolu_1', name: 'Write', input: { path: 'a.md', content: 'Hello' } };

export const ASK = {
  id: 'toolu_3',
  name: 'AskUserQuestion',
  input: {
    questions: [
      { header: 'Color', question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    ],
  },
};

export function world(beginning?: ConstructorParameters<typeof AgentWorld>[1]): AgentWorld {
  return new AgentWorld(new SqliteStorage(), beginning);
}
