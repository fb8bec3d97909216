/** A session of a hand-cranked world behind the real routes, for the administrator alone. */
import type { createApp } from '../../src/http/app.ts';
import type { HttpPorts } from '../../src/http/ports.ts';
import type { SessionStub } from '../../src/http/stubs.ts';
import { readInteraction } from '../../src/session/queries.ts';
import { writeResult } from '../../src/session/command-result.ts';
import { fakePorts, sessionPorts } from '../support/http/fake-ports.ts';
import type { SessionWorld } from '../support/session-world.ts';

export const KEY = 'the-admin-key';

export function served(world: SessionWorld, create: typeof createApp) {
  const calls = {
    async handle(command, { caller }) {
      return writeResult(await world.ask(command, { caller }));
    },
    interaction: async (id, caller) => readInteraction(world.session, id, caller),
  } satisfies Pick<SessionStub, 'handle' | 'interaction'>;
  const identity: Awaited<ReturnType<HttpPorts['credentials']['verify']>> = {
    caller: { credential: 'admin', subject: 'admin', via: 'api', scopes: ['admin'] },
    workspace: 'main',
    session: null,
    expiresAt: null,
    chain: [],
  };
  return create(
    fakePorts({
      ...sessionPorts(() => calls),
      now: () => world.now,
      credentials: {
        verify: async (token) => (token === KEY ? identity : undefined),
        sign: async () => '',
      },
    }),
  );
}
