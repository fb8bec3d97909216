/**
 * Calls of HTTP tools with the fetch, the streams and the signing of workerd.
 *
 * A bug here looks like a tool that works on Node and in all other tests. Its requests go nowhere: `fetch` is played.
 */
import { expect, it } from 'vitest';
import { httpTools } from '../../src/platform/http-tools/http-tools.ts';

const CALL = {
  workspace: 'main',
  sessionId: 'session-1',
  turnId: 'turn-1',
  toolCallId: 'toolu_01',
  toolName: 'deploy',
  url: 'https://tools.example.com/run',
  input: { version: '1.2' },
  timeoutMs: 50,
  isRepeat: false,
};

function call(answer: (request: Request) => Response) {
  const tools = httpTools({
    signingSecret: 'secret-of-a-deployment-in-a-test',
    fetch: async (url, init) => answer(new Request(url, init)),
    now: () => 1_800_000_000_000,
    allowPrivate: false,
  });
  return tools.call(CALL, new AbortController().signal);
}

it('[RUN-8] are signed', async () => {
  let sent: Request | undefined;
  const output = await call((request) => {
    sent = request;
    return Response.json({ isDone: true });
  });
  expect(output).toEqual({ content: '{"isDone":true}', isError: false });
  // The signature of a key and a text that do not change; `test/platform/` checks how it is made.
  expect(sent?.headers.get('webhook-signature')).toBe(
    'v1,riI8M7weyzn4VdvXULsKIZKwI8Ytoz/7qOVPHpsLJpQ=',
  );
});

it('[RUN-8] end in time although a body does not', async () => {
  const headers = { 'content-type': 'text/plain' };
  const stalled = await call(() => new Response(new ReadableStream(), { headers }));
  expect(stalled.content).toMatch(/^The tool did not answer within 0\.05 seconds/);
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(10_000).fill(0x78)),
  });
  const cut = await call(() => new Response(endless, { headers }));
  expect(cut.content).toMatch(/x\n\n\[The answer is longer\./);
});
