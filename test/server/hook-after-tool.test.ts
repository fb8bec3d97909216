/**
 * [HOOK-4] `PostToolUse` over HTTP: a request that the terminal of the agent answered ends as that.
 *
 * A bug here looks like a request that stays open and takes a denial after its command has run.
 */
import { expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const agent = await keyWith('agent');
let conversations = 0;

function converse() {
  conversations += 1;
  const id = `after-${conversations}`;
  const at = `/v1/sessions/claude-code:${id}/interactions`;
  const list = async (status: string) => {
    const reply = await send(server, { method: 'GET', path: `${at}?status=${status}` });
    const { interactions = [] } = JSON.parse(reply.text) as { interactions?: JsonObject[] };
    return interactions;
  };
  const hook = (body: JsonObject, token = agent): Promise<JsonObject> =>
    ask(server, {
      method: 'POST',
      path: '/v1/hooks/claude-code?wait=30',
      json: { session_id: id, prompt_id: 'p', cwd: '/w/app', tool_name: 'Bash', ...body },
      token,
    });
  return {
    hook,
    list,
    permission: (command: string) =>
      hook({ hook_event_name: 'PermissionRequest', tool_input: { command } }),
    ran: (command: string, more: JsonObject = {}, token = agent) =>
      hook(
        {
          hook_event_name: 'PostToolUse',
          tool_input: { command },
          tool_use_id: 'toolu_1',
          duration_ms: 10,
          ...more,
        },
        token,
      ),
    open: (count = 1) =>
      vi.waitFor(
        async () => {
          const found = await list('open');
          expect(found).toHaveLength(count);
          return found;
        },
        { timeout: 20_000 },
      ),
    answer: (interactionId: unknown, json: JsonObject) =>
      send(server, { method: 'POST', path: `${at}/${String(interactionId)}/answer`, json }),
    results: async () => {
      const path = `/v1/sessions/claude-code:${id}/events`;
      const { events } = await ask(server, { method: 'GET', path });
      return (events as JsonObject[]).filter(({ type }) => type === 'tool_result');
    },
  };
}

it.each([
  ['PostToolUse', 'completed', /and the call has run$/],
  ['PostToolUseFailure', 'failed', /and the call has run and failed$/],
])(
  '[HOOK-4] %s ends the open request, and a later answer is refused',
  async (event, elsewhere, words) => {
    const one = converse();
    const output = one.permission('make deploy');
    const [asked = {}] = await one.open();
    expect(await one.ran('make deploy', { hook_event_name: event })).toEqual({});
    expect(await output).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'deny' } },
    });
    const [settled] = await one.list('settled');
    expect(settled).toMatchObject({ outcome: 'cancelled', elsewhere, settledBy: { via: 'hook' } });
    const late = await one.answer(asked.interactionId, { decision: 'deny' });
    expect(late.status).toBe(409);
    const { error } = JSON.parse(late.text) as { error: JsonObject };
    expect(error).toMatchObject({ code: 'already_settled', details: { elsewhere } });
    expect(error.message).toMatch(words);
  },
);

it('[HOOK-4] another call, prompt, tool or credential ends nothing', async () => {
  const one = converse();
  const output = one.permission('make deploy');
  const [asked = {}] = await one.open();
  await one.ran('make test');
  await one.ran('make deploy', { prompt_id: 'q' });
  await one.ran('make deploy', { tool_name: 'Other' });
  expect(await one.ran('make deploy', {}, await keyWith('agent'))).toEqual({});
  await one.open();
  await one.answer(asked.interactionId, { decision: 'deny' });
  await output;
  expect(await one.results()).toEqual([]);
});

it('[HOOK-4] the run of an approved call leaves a second request with its input open', async () => {
  const one = converse();
  const first = one.permission('make deploy');
  const [asked = {}] = await one.open();
  await one.answer(asked.interactionId, { decision: 'approve' });
  await first;
  const second = one.permission('make deploy');
  await one.open();
  await one.ran('make deploy');
  const [open = {}] = await one.open();
  await one.answer(open.interactionId, { decision: 'deny' });
  await second;
});

it('[HOOK-4] a call that ran in spite of a denial has its result in the conversation', async () => {
  const one = converse();
  const output = one.permission('make deploy');
  const [asked = {}] = await one.open();
  await one.answer(asked.interactionId, { decision: 'deny' });
  await output;
  expect(await one.ran('make deploy', { duration_ms: 5_000 }, await keyWith('agent'))).toEqual({});
  expect(await one.results()).toEqual([]);
  await one.ran('make deploy', { duration_ms: 5_000 });
  expect(await one.results()).toMatchObject([
    { toolCallId: asked.toolCallId, payload: { output: expect.stringContaining('terminal') } },
  ]);
});

it('[HOOK-4] a question and a plan that the terminal answered end too', async () => {
  for (const tool of ['AskUserQuestion', 'ExitPlanMode']) {
    const one = converse();
    const options = [
      { label: 'eu', description: '' },
      { label: 'us', description: '' },
    ];
    const questions = [{ question: 'Where?', header: 'Where', options, multiSelect: false }];
    const input = tool === 'AskUserQuestion' ? { questions } : { plan: '# Plan' };
    const hook = { tool_name: tool, tool_input: input };
    const output = one.hook({ hook_event_name: 'PermissionRequest', ...hook });
    await one.open();
    const after = { ...hook, tool_input: { ...input, answers: { 'Where?': 'eu' } } };
    await one.hook({ hook_event_name: 'PostToolUse', tool_use_id: 'toolu_9', ...after });
    await output;
    expect(await one.list('settled')).toMatchObject([{ elsewhere: 'completed' }]);
  }
});

it('[HOOK-4] an edit that was allowed through the tool `approve` is described to the model', async () => {
  const one = converse();
  const headers = { Accept: 'application/json, text/event-stream' };
  const call = {
    name: 'approve',
    arguments: { tool_name: 'Bash', input: { command: 'make deploy' }, tool_use_id: 'toolu_mcp' },
  };
  const token = await keyWith('agent');
  const deciding = send(server, {
    method: 'POST',
    path: '/mcp',
    token,
    headers,
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...call, _meta: { 'claudecode/toolUseId': 'toolu_mcp' } },
    },
  });
  const asked = await vi.waitFor(
    async () => {
      const { interactions } = await ask(server, { method: 'GET', path: '/v1/inbox?tool=Bash' });
      const found = (interactions as JsonObject[]).find(
        ({ toolCallId }) => toolCallId === 'toolu_mcp',
      );
      expect(found).toBeDefined();
      return found ?? {};
    },
    { timeout: 20_000 },
  );
  await ask(server, {
    method: 'POST',
    path: `/v1/sessions/${asked.sessionId as string}/interactions/${asked.interactionId as string}/answer`,
    json: { decision: 'approve', updatedInput: { command: 'make check' } },
  });
  await deciding;
  const told = await one.ran('make check', { tool_use_id: 'toolu_mcp' }, token);
  expect(told).toMatchObject({
    hookSpecificOutput: { additionalContext: expect.stringContaining('make check') },
  });
});
