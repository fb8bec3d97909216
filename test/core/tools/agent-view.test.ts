/**
 * The settings of an agent as readers see them.
 *
 * A bug here shows the key in a tool's address, or the system prompt of the model, to every reader of a
 * session.
 */
import { expect, it } from 'vitest';
import { AgentSettings, AgentView } from '../../../src/protocol/schema/agent-settings.ts';
import { viewAgent, viewStartEvent } from '../../../src/core/tools/agent-settings.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import { CoreWorld } from '../../support/core-world.ts';
import { admin } from '../../support/callers.ts';
import { accepted } from '../../support/outcome.ts';

const SETTINGS = AgentSettings.parse({
  model: 'a-model',
  system: 'Never say the word SECRET-1.',
  tools: [
    {
      type: 'http',
      name: 'SendMail',
      description: 'Sends mail through SECRET-2.',
      class: 'execute',
      inputSchema: { type: 'object', properties: { 'SECRET-3': {} } },
      url: 'https://tools.example.com:443/SECRET-4?key=SECRET-5#SECRET-6',
    },
    { type: 'client', name: 'Ring', description: 'Rings.', inputSchema: { type: 'object' } },
  ],
  maxSteps: 5,
});

const SEEN = {
  model: 'a-model',
  tools: [
    { type: 'http', name: 'SendMail', class: 'execute', origin: 'https://tools.example.com' },
    SETTINGS.tools?.[1],
  ],
  maxSteps: 5,
};

it('[AUTH-9] shows of an HTTP tool its name, class and origin, and never the system prompt', () => {
  expect(viewAgent(SETTINGS)).toEqual(SEEN);
  expect(AgentView.safeParse(viewAgent(SETTINGS)).success).toBe(true);
  expect(viewAgent({})).toEqual({});
  expect(viewAgent(AgentSettings.parse({ system: 'x' }))).toEqual({});
});

it('[AUTH-9] writes no more into the log, and runs with all settings', () => {
  const world = new CoreWorld();
  const decided = accepted(
    world.run({ type: 'session.create', agent: SETTINGS }, { caller: admin() }),
  );
  expect(decided.state.info.agent).toEqual(SETTINGS);
  expect(JSON.stringify(world.log)).not.toContain('SECRET');
  expect(world.log[0]?.payload).toMatchObject({ agent: SEEN });
});

/** As a log of the first version holds it. */
const OLD: unknown = JSON.parse(`{"seq":1,"at":1800000000000,"type":"session_started","payload":{
  "permissionMode":"default","title":"Mail","agent":${JSON.stringify(SETTINGS)},
  "createdBy":{"credential":"admin","subject":"admin"}}}`);

it('[AUTH-9] shows of an old event no more than of a new event', () => {
  const shown = viewStartEvent(OLD as SessionEvent);
  expect(JSON.stringify(shown)).not.toContain('SECRET');
  expect(shown).toMatchObject({ seq: 1, payload: { title: 'Mail', agent: SEEN } });
  expect(shown && viewStartEvent(shown)).toBeUndefined();
});
