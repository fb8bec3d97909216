/**
 * A client of an older revision cancels a call over HTTP with another request (MCP-3), while the call goes on waiting.
 *
 * A bug here looks like a person who decides for a client that no longer waits, or like a client that ends the question
 * of another one.
 */
import { expect, it, vi } from 'vitest';
import { keyWith } from '../../support/http/credentials.ts';
import { startLocalApp } from '../../support/http/local-app.ts';
import { exchange, type Exchange, stateOf } from '../../support/mcp-wire.ts';
import { openIn, QUESTION, waitForOpen } from './questions.ts';

const server = startLocalApp();
const token = await keyWith('agent');

async function startClient(session: string, credential = token) {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const common = { era: 'legacy', token: credential } as const;
  const { headers } = await exchange(server, { ...common, method: 'initialize', params });
  const client = headers.get('Mcp-Session-Id') ?? '';
  const own = { 'Holdpoint-Session': session, ...(client !== '' && { 'Mcp-Session-Id': client }) };
  return {
    ask: (id: number, question = 'Deploy?'): Promise<Exchange> =>
      exchange(server, {
        ...common,
        id,
        method: 'tools/call',
        params: { name: 'ask_human', arguments: { ...QUESTION, question } },
        headers: own,
      }),
    cancel: (requestId: number | string, headers: Record<string, string> = {}) =>
      exchange(server, {
        ...common,
        id: undefined,
        method: 'notifications/cancelled',
        params: { requestId, reason: 'The person pressed Escape' },
        headers: { ...own, ...headers },
      }),
  };
}

it('[MCP-3] ends the wait of that request and cancels its question, and no other', async () => {
  const client = await startClient('cancel-http');
  const cancelled = client.ask(7);
  await waitForOpen(server, 'cancel-http');
  const kept = client.ask(8, 'Kept?');
  await vi.waitFor(async () => expect(await openIn(server, 'cancel-http')).toHaveLength(2), 20_000);
  expect((await client.cancel(7)).status).toBe(202);
  const { messages } = await cancelled;
  expect(stateOf(messages.at(-1)?.result ?? {})).toMatchObject({ status: 'cancelled' });
  expect(await openIn(server, 'cancel-http')).toMatchObject([
    { request: { questions: [{ question: 'Kept?' }] } },
  ]);
  await client.cancel(8);
  await kept;
});

it('[MCP-3] is refused to another session, another credential, another id, and a client without a session', async () => {
  const client = await startClient('cancel-others');
  const asked = client.ask(1);
  await waitForOpen(server, 'cancel-others');
  await (await startClient('cancel-others')).cancel(1);
  await (await startClient('cancel-others', await keyWith('agent'))).cancel(1);
  await client.cancel(2);
  await client.cancel('1');
  await client.cancel(1, { 'Mcp-Session-Id': '' });
  expect(await openIn(server, 'cancel-others')).toHaveLength(1);
  await client.cancel(1);
  await asked;
  expect(await openIn(server, 'cancel-others')).toEqual([]);
});
