/**
 * A server in the page: real sessions in memory, with an agent that asks and a person who answers.
 *
 * The parts of the built-in agent (files, a retried turn) are fakes.
 */
import { onTestFinished } from 'vitest';
import { type AgentModel, InProcessHost } from '../../../src/in-process/index.ts';
import type { Transport } from '../../../src/client/transport.ts';
import type { SessionFile } from '../../../src/protocol/types.ts';

export interface InPageServer {
  readonly host: InProcessHost;
  /** Has every scope; its calls are not shown on the page. */
  readonly owner: Transport;
  readonly agent: Transport;
  readonly person: Transport;
  /** The files of each session, and the calls of the fakes. */
  readonly files: Map<string, SessionFile[]>;
  readonly asked: string[];
}

export function startInPageServer(
  scopes: readonly ('read' | 'answer' | 'send' | 'admin')[] = ['read', 'answer', 'send'],
  model?: AgentModel,
): InPageServer {
  const host = new InProcessHost({ warn: () => undefined, ...(model && { model }) });
  const owner = host.transport();
  onTestFinished(() => host.close());
  const files: InPageServer['files'] = new Map();
  const asked: string[] = [];
  const played: Partial<Transport> = {
    createSession: async ({ agent: _agent, ...input } = {}, how) => owner.createSession(input, how),
    async retry(sessionId) {
      asked.push(`retry ${sessionId}`);
      return 'turn-again';
    },
    removeQueued: async (sessionId, messageId) =>
      void asked.push(`remove ${sessionId} ${messageId}`),
    files: async (sessionId) => files.get(sessionId) ?? [],
    async file(sessionId, path) {
      const found = files.get(sessionId)?.find((file) => file.path === path);
      if (found === undefined) throw new Error('There is no such file');
      return found;
    },
  };
  const agent = host.transport({ subject: 'agent', scopes: ['agent', 'read'] });
  const person = host.transport({ subject: 'ada', scopes: [...scopes], via: 'web' });
  return { host, owner, agent, person: Object.assign(person, played), files, asked };
}
