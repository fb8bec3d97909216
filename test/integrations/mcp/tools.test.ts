/**
 * The tools over the wire, in both eras, against all routes of a server in this process.
 *
 * A bug here looks like a model that hears nothing of an answer, a client that hangs, or a question on the screen of a person
 * that no agent waits for.
 */
import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { ask } from '../../support/http/call.ts';
import { keyWith, sign } from '../../support/http/credentials.ts';
import { startLocalApp } from '../../support/http/local-app.ts';
import {
  callToTheEnd,
  callTool,
  ERAS,
  exchange,
  stateOf,
  textOf,
  type ToolCall,
} from '../../support/mcp-wire.ts';
import { answer, openIn, QUESTION, waitForOpen, YES_NO } from './questions.ts';

const ROUND_MS = 150;
const server = startLocalApp({ mcp: { roundMs: ROUND_MS } });
const token = await keyWith('agent');
let sessions = 0;

function freshSession(): string {
  sessions += 1;
  return `mcp-test-${sessions}`;
}

describe.each(ERAS)('[MCP-1] the tools in the %s era', (era) => {
  const call = (session: string, args: JsonObject, more: Partial<ToolCall> = {}): ToolCall => ({
    era,
    token,
    tool: 'ask_human',
    args: { session, ...args },
    ...more,
  });

  it('lists three tools, with schemas that a client can check', async () => {
    const { messages } = await exchange(server, { era, token, method: 'tools/list' });
    const tools = messages.at(-1)?.result?.tools as { name: string; inputSchema: JsonObject }[];
    expect(tools.map(({ name }) => name)).toEqual(['ask_human', 'approve', 'check_answer']);
    for (const { inputSchema } of tools) expect(inputSchema.type).toBe('object');
  });

  it('returns the answer to a question by its text', async () => {
    const session = freshSession();
    const asked = callToTheEnd(server, call(session, QUESTION));
    const open = await waitForOpen(server, session);
    expect(open.kind).toBe('question');
    await answer(server, session, open, { answers: { 0: 'Yes' } });
    expect(stateOf(await asked)).toEqual({
      status: 'answered',
      question_id: `${session}/${open.interactionId}`,
      answers: { 'Deploy?': ['Yes'] },
    });
  });

  it('takes a form and a plan', async () => {
    const session = freshSession();
    const schema = { type: 'object', properties: { version: { type: 'string' } } };
    const form = callToTheEnd(server, call(session, { form: { title: 'Release', schema } }));
    await answer(server, session, await waitForOpen(server, session), {
      values: { version: '1.2' },
    });
    expect(stateOf(await form)).toMatchObject({ status: 'answered', values: { version: '1.2' } });

    const plan = callToTheEnd(server, call(session, { plan: '1. Test\n2. Deploy' }));
    await answer(server, session, await waitForOpen(server, session), {
      decision: 'adjust',
      feedback: 'Test more',
    });
    expect(stateOf(await plan)).toMatchObject({
      status: 'denied',
      decision: 'adjust',
      message: expect.stringContaining('Test more'),
    });
  });

  it('finds an answer that came between two rounds', async () => {
    const session = freshSession();
    const asked = call(session, QUESTION);
    const first = await callTool(server, asked);
    const open = await waitForOpen(server, session);
    await answer(server, session, open, { answers: { 0: 'No' } });
    const next =
      era === 'modern'
        ? { ...asked, requestState: String(first.requestState) }
        : { ...asked, args: { question_id: stateOf(first).question_id } };
    expect(stateOf(await callTool(server, next))).toMatchObject({
      status: 'answered',
      answers: { 'Deploy?': ['No'] },
    });
    expect(await openIn(server, session)).toEqual([]);
  });

  it('opens one question, however many rounds it takes, and none again that has ended', async () => {
    const session = freshSession();
    const asked = call(session, QUESTION);
    let reply = await callTool(server, asked);
    const open = await waitForOpen(server, session);
    const again = () =>
      era === 'modern'
        ? { ...asked, requestState: String(reply.requestState) }
        : { ...asked, args: { question_id: stateOf(reply).question_id } };
    reply = await callTool(server, again());
    expect((await openIn(server, session)).map(({ interactionId }) => interactionId)).toEqual([
      open.interactionId,
    ]);
    await ask(server, {
      method: 'DELETE',
      path: `/v1/sessions/${session}/interactions/${open.interactionId}`,
    });
    expect(stateOf(await callTool(server, again()))).toMatchObject({ status: 'cancelled' });
    expect(await openIn(server, session)).toEqual([]);
  });

  it('looks for an answer without waiting', async () => {
    const session = freshSession();
    const reply = await callTool(server, {
      ...call(session, QUESTION),
    });
    const open = await waitForOpen(server, session);
    const id = `${session}/${open.interactionId}`;
    expect(reply.isError).toBeUndefined();
    const look = { era, token, tool: 'check_answer', args: { question_id: id } } as const;
    expect(stateOf(await callTool(server, look))).toMatchObject({ status: 'waiting' });
    await answer(server, session, open, { answers: { 0: 'Yes' } });
    expect(stateOf(await callTool(server, look))).toMatchObject({ status: 'answered' });
  });

  it('[MCP-3] asks one question for one id of the client, and answers a repeat from the record', async () => {
    const session = freshSession();
    const meta = { 'claudecode/toolUseId': 'toolu_01/with odd characters' };
    const asked = call(session, QUESTION, { meta });
    const both = [callToTheEnd(server, asked), callToTheEnd(server, asked)];
    const open = await waitForOpen(server, session);
    expect(await openIn(server, session)).toHaveLength(1);
    await answer(server, session, open, { answers: { 0: 'Yes' } });
    for (const reply of await Promise.all([...both, callToTheEnd(server, asked)])) {
      expect(stateOf(reply)).toMatchObject({ status: 'answered' });
    }
  });

  it('[MCP-5] holds the call of Claude Code until the outcome', async () => {
    const session = freshSession();
    const args = { tool_name: 'Bash', input: { command: 'make deploy' }, tool_use_id: 'toolu_1' };
    const asked = callTool(server, {
      ...call(session, {}),
      tool: 'approve',
      args,
      meta: { 'claudecode/toolUseId': 'toolu_1' },
      headers: { 'Holdpoint-Session': session },
    });
    const open = await waitForOpen(server, session);
    expect(open).toMatchObject({ kind: 'approval', toolCallId: 'toolu_1', toolName: 'Bash' });
    await new Promise((resolve) => setTimeout(resolve, 3 * ROUND_MS));
    await answer(server, session, open, {
      decision: 'approve',
      updatedInput: { command: 'make deploy DRY=1' },
    });
    expect(stateOf(await asked)).toMatchObject({
      behavior: 'allow',
      updatedInput: { command: 'make deploy DRY=1' },
    });
  });

  it('[MCP-5] denies while nobody has decided, and allows the same call once a person has', async () => {
    const session = freshSession();
    const asked: ToolCall = {
      ...call(session, {}),
      tool: 'approve',
      args: { tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'call 7' },
      headers: { 'Holdpoint-Session': session },
    };
    const first = await callTool(server, asked);
    if (era === 'legacy') expect(stateOf(first)).toMatchObject({ behavior: 'deny' });
    const open = await waitForOpen(server, session);
    await answer(server, session, open, { decision: 'approve' });
    expect(stateOf(await callToTheEnd(server, asked))).toMatchObject({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
    });
    expect(await openIn(server, session)).toEqual([]);
  });

  it('[MCP-3] cancels a question whose client left and could never name it again', async () => {
    const session = freshSession();
    const leaving = new AbortController();
    const asked = callTool(server, {
      ...call(session, QUESTION),
      signal: leaving.signal,
      meta: { progressToken: 1 },
    });
    await waitForOpen(server, session);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await vi.waitFor(async () => expect(await openIn(server, session)).toEqual([]), {
      timeout: 10_000,
    });
  });

  it('refuses arguments that ask for two things, or for nothing', async () => {
    const session = freshSession();
    for (const args of [
      {},
      { question: 'Deploy?', plan: 'x' },
      { options: YES_NO },
      { plan: 'x', options: YES_NO },
      { question_id: 'nonsense' },
      { question_id: '../../x' },
    ]) {
      const reply = await callTool(server, call(session, args));
      expect([reply.isError, textOf(reply)]).toEqual([
        true,
        expect.stringMatching(/Give|question_id/),
      ]);
    }
    expect(await openIn(server, session)).toEqual([]);
  });

  it('says what the server refused, so that a model can do better', async () => {
    const session = freshSession();
    const reply = await callToTheEnd(server, call(session, { question: '' }));
    expect([reply.isError, textOf(reply)]).toEqual([true, expect.stringContaining('question')]);
    expect(await openIn(server, session)).toEqual([]);
  });
});

it('[MCP-1] acknowledges a subscription, and ends it: nothing is ever announced', async () => {
  const { status, messages } = await exchange(server, {
    era: 'modern',
    token,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true, promptsListChanged: true } },
  });
  expect(status).toBe(200);
  const [acknowledged, ended] = messages;
  expect(acknowledged).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: {}, _meta: expect.anything() },
  });
  expect(ended).toMatchObject({ result: { resultType: 'complete' } });
  expect(messages).toHaveLength(2);
});

describe('[MCP-2] the session of an MCP client', () => {
  const asked = (more: Partial<ToolCall>): ToolCall => ({
    era: 'modern',
    token,
    tool: 'ask_human',
    args: QUESTION,
    ...more,
  });
  const sessionOf = async (call: ToolCall): Promise<string> => {
    const reply = await callTool(server, { ...call, era: 'legacy' });
    return stateOf(reply).question_id.split('/')[0] ?? '';
  };

  it('is one for each credential, without anything that a server remembers', async () => {
    const other = await sign({ scopes: ['agent'], subject: 'another' });
    const first = await sessionOf(asked({}));
    expect(first).toMatch(/^mcp:[0-9a-f]{32}$/);
    expect(await sessionOf(asked({}))).toBe(first);
    expect(await sessionOf(asked({ token: other }))).not.toBe(first);
  });

  it('is the named one: by the call, by the header, by the credential', async () => {
    const byHeader = asked({ headers: { 'Holdpoint-Session': 'by-header' } });
    expect(await sessionOf(byHeader)).toBe('by-header');
    expect(await sessionOf({ ...byHeader, args: { ...byHeader.args, session: 'by-call' } })).toBe(
      'by-call',
    );
  });

  it('is another one when the first was deleted', async () => {
    const key = await sign({ scopes: ['agent'], subject: 'whose session is deleted' });
    const first = await sessionOf(asked({ token: key }));
    await ask(server, { method: 'DELETE', path: `/v1/sessions/${first}` });
    expect(await sessionOf(asked({ token: key }))).toBe(`${first}:2`);
    expect(await sessionOf(asked({ token: key }))).toBe(`${first}:2`);
  });
});

it('[MCP-1, LIM-4] is unharmed by all of it', () => server.expectUnharmed());
