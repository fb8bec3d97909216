/**
 * Tools of the settings that ask a person with a request of a kind. A bug would look like a tool that runs in place of
 * being answered, or a model that changes what its administrator fixed.
 */
import { describe, expect, it } from 'vitest';
import { AgentSettings } from '../../src/protocol/schema/agent-settings.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { AgentWorld } from '../support/agent-world.ts';
import { calls, textOutcome } from '../support/scripted-model.ts';
import { SqliteStorage } from '../support/session-storage.ts';

const SCHEMA = { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] };
const TOOLS = [
  {
    type: 'person',
    name: 'AskWhere',
    description: 'Ask where to deploy.',
    inputSchema: { type: 'object' },
    kind: 'form',
    request: { title: 'Deploy', schema: SCHEMA },
  },
  {
    type: 'person',
    name: 'Choose',
    description: 'Ask for a choice.',
    inputSchema: { type: 'object' },
    kind: 'question',
  },
  {
    type: 'person',
    name: 'OpenPage',
    description: 'Ask the person to open a page.',
    inputSchema: { type: 'object' },
    kind: 'link',
    request: { url: 'https://example.com/terms' },
  },
];
const settings = AgentSettings.parse({ tools: TOOLS });

const WHERE = { id: 'toolu_1', name: 'AskWhere', input: { description: 'Which host?' } };

async function asked(use: { id: string; name: string; input: JsonObject } = WHERE) {
  const world = new AgentWorld(new SqliteStorage(), { settings, mode: 'bypassPermissions' });
  world.model.will(calls(use), textOutcome('Done.'));
  await world.sendMessage('Go');
  return world;
}

describe('[RUN-8] a tool of the settings that asks a person', () => {
  it('asks in every mode with the input of its call and the fixed fields, and the model reads the answer', async () => {
    const world = await asked();
    expect(world.record('toolu_1~1')).toMatchObject({
      kind: 'form',
      toolName: 'AskWhere',
      request: { title: 'Deploy', description: 'Which host?', schema: SCHEMA },
      timeoutMs: 600_000,
    });
    await world.answers('toolu_1~1', { values: { host: 'a.example' } });
    expect(world.lastResults).toEqual([
      { id: 'toolu_1', content: '{"host":"a.example"}', isError: false },
    ]);
    expect(world.tools.calls).toEqual([]);
    expect(world.types().at(-1)).toBe('turn_ended');
  });

  it('keeps its fixed fields against the model', async () => {
    const input = { url: 'https://evil.example/', message: 'Read this' };
    const world = await asked({ id: 'toolu_1', name: 'OpenPage', input });
    expect(world.record('toolu_1~1').request).toEqual({
      url: 'https://example.com/terms',
      message: 'Read this',
    });
  });

  it('reads an answer without fields as words, and answers to questions as AskUserQuestion does', async () => {
    const page = await asked({ id: 'toolu_1', name: 'OpenPage', input: { message: 'Read this' } });
    await page.answers('toolu_1~1', { opened: true });
    expect(page.lastResults).toMatchObject([{ content: 'The person answered.', isError: false }]);
    const questions = [{ header: 'H', question: 'Which?', options: ['A', 'B'] }];
    const choice = await asked({ id: 'toolu_1', name: 'Choose', input: { questions } });
    await choice.answers('toolu_1~1', { answers: { '0': 'B' } });
    expect(choice.lastResults).toMatchObject([{ content: 'Which?: ["B"]', isError: false }]);
  });

  it('[RUN-5] gives the model a no as an error, and asks nothing that the kind refuses', async () => {
    const declined = await asked();
    await declined.answers('toolu_1~1', { decline: true, reason: 'Not today' });
    expect(declined.lastResults).toMatchObject([
      { isError: true, content: 'User declined to answer. Reason: Not today' },
    ]);
    for (const input of [{ timeoutSeconds: 5 }, { audience: { users: ['eve'] } }]) {
      const refused = await asked({ ...WHERE, input: { ...input } });
      expect(refused.ofType('interaction_request')).toEqual([]);
      expect(refused.lastResults).toMatchObject([{ isError: true }]);
    }
  });

  it('[RUN-3] is answered after a restart, and asked once', async () => {
    const world = await asked();
    world.restart();
    await world.quiet();
    await world.answers('toolu_1~1', { values: { host: 'b' } });
    expect(world.lastResults).toMatchObject([{ content: '{"host":"b"}' }]);
    expect(world.ofType('interaction_request')).toHaveLength(1);
  });
});
