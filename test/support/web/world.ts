/**
 * A server in the page: the real sessions, in memory, with an agent that asks and a person who answers.
 *
 * What the built-in agent brings (files, a turn that is tried again) is played here.
 */
import { onTestFinished } from 'vitest';
import { DirectTransport } from '../../../src/direct/direct-transport.ts';
import type { Transport } from '../../../src/client/transport.ts';
import type { SessionFile } from '../../../src/protocol/types.ts';

export interface World {
  /** May do everything, and is told nothing of what is shown. */
  readonly owner: DirectTransport;
  readonly agent: DirectTransport;
  readonly person: Transport;
  /** Of each session, and what was asked of the played parts. */
  readonly files: Map<string, SessionFile[]>;
  readonly asked: string[];
}

export function world(
  scopes: readonly ('read' | 'answer' | 'send' | 'admin')[] = ['read', 'answer', 'send'],
): World {
  const owner = new DirectTransport({ warn: () => undefined });
  onTestFinished(() => owner.close());
  const files: World['files'] = new Map();
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
      const found = files.get(sessionId)?.find((one) => one.path === path);
      if (found === undefined) throw new Error('There is no such file');
      return found;
    },
  };
  const agent = owner.as({ subject: 'agent', scopes: ['agent', 'read'] });
  const person = owner.as({ subject: 'ada', scopes: [...scopes], via: 'web' });
  return { owner, agent, person: Object.assign(person, played), files, asked };
}
