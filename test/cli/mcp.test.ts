/** `holdpoint mcp`: the tools over stdin and stdout. A bug here looks like a client whose call never ends. */
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { answer, openIn, QUESTION, waitForOpen } from '../integrations/mcp/questions.ts';
import { startCli } from '../support/cli.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startLocalApp } from '../support/http/local-app.ts';
import { type Era, ERAS, type Message, stateOf } from '../support/mcp-wire.ts';

const server = startLocalApp();
const token = await keyWith('agent');

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function startTools(session: string, env: Record<string, string> = {}) {
  const stdin = new PassThrough();
  const cli = startCli(['mcp', '--session', session], {
    stdin,
    env: { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: token, ...env },
    ...(server.fetch !== undefined && { fetch: server.fetch }),
  });
  onTestFinished(() => void stdin.destroy());
  let ids = 0;
  const write = (message: object) => stdin.write(`${JSON.stringify(message)}\n`);
  const replyTo = (id: number): Promise<Message> =>
    vi.waitFor(
      () => {
        const messages = cli.out().split('\n').filter(Boolean);
        const found = messages
          .map((line) => JSON.parse(line) as Message)
          .find((one) => one.id === id);
        if (found === undefined) throw new Error(`No reply to ${id}`);
        return found;
      },
      { timeout: 20_000, interval: 5 },
    );
  const request = (era: Era, method: string, params: JsonObject, meta: JsonObject = {}): number => {
    ids += 1;
    const fullMeta = { ...meta, ...(era === 'modern' && ENVELOPE) };
    write({ jsonrpc: '2.0', id: ids, method, params: { ...params, _meta: fullMeta } });
    return ids;
  };
  const open = async (era: Era): Promise<void> => {
    if (era === 'modern') return;
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    await replyTo(request(era, 'initialize', params));
    write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  };
  return { cli, stdin, write, replyTo, request, open };
}

const askingIn = (args: JsonObject = QUESTION): JsonObject => ({
  name: 'ask_human',
  arguments: args,
});

describe.each(ERAS)('[MCP-1, CLI-1] holdpoint mcp in the %s era', (era) => {
  it('asks in its session and returns the answer', async () => {
    const session = `stdio-${era}`;
    const tools = startTools(session);
    await tools.open(era);
    const id = tools.request(era, 'tools/call', askingIn());
    await answer(server, session, await waitForOpen(server, session), { answers: { 0: 'Yes' } });
    const { result = {} } = await tools.replyTo(id);
    expect(stateOf(result)).toMatchObject({ status: 'answered', answers: { 'Deploy?': ['Yes'] } });
    tools.stdin.end();
    expect(await tools.cli.code).toBe(0);
    expect(tools.cli.err()).toBe('');
  });

  it('[MCP-3] cancels what the client takes back, and nothing else', async () => {
    const session = `taken-back-${era}`;
    const tools = startTools(session);
    await tools.open(era);
    const meta = { 'claudecode/toolUseId': `toolu_${era}` };
    const requestId = tools.request(era, 'tools/call', askingIn(), meta);
    await waitForOpen(server, session);
    const params = { requestId, reason: 'The person pressed Escape' };
    tools.write({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: era === 'modern' ? { ...params, _meta: ENVELOPE } : params,
    });
    await vi.waitFor(async () => expect(await openIn(server, session)).toEqual([]), {
      timeout: 20_000,
    });
  });

  it('[MCP-3] leaves open what a client that died can name again', async () => {
    const session = `died-${era}`;
    const meta = { 'claudecode/toolUseId': `toolu_kept_${era}` };
    const first = startTools(session);
    await first.open(era);
    first.request(era, 'tools/call', askingIn(), meta);
    first.request(era, 'tools/call', askingIn({ ...QUESTION, question: 'Unnamed?' }));
    await vi.waitFor(async () => expect(await openIn(server, session)).toHaveLength(2), {
      timeout: 20_000,
    });
    first.stdin.destroy();
    expect(await first.cli.code).toBe(0);
    await vi.waitFor(async () => expect(await openIn(server, session)).toHaveLength(1), {
      timeout: 20_000,
    });
    const [left] = await openIn(server, session);
    if (left !== undefined) await answer(server, session, left, { answers: { 0: 'No' } });
    const second = startTools(session);
    await second.open(era);
    const { result = {} } = await second.replyTo(
      second.request(era, 'tools/call', askingIn(), meta),
    );
    expect(stateOf(result)).toMatchObject({ answers: { 'Deploy?': ['No'] } });
  });
});

it('[MCP-4] says why nothing could be asked', async () => {
  const tools = startTools('refused', { HOLDPOINT_TOKEN: await keyWith('read') });
  await tools.open('legacy');
  const { result } = await tools.replyTo(tools.request('legacy', 'tools/call', askingIn()));
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result)).toContain('scope');
});
