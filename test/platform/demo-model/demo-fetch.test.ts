/** A bug here looks like the demo model that goes well and a performance that fails. */
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SUMMARY_ORDER } from '../../../src/agent/request-summary.ts';
import { anthropicModel } from '../../../src/platform/anthropic/anthropic-model.ts';
import { createDemoFetch, demoFetch } from '../../../src/platform/demo-model/demo-fetch.ts';
import { SCENARIOS } from '../../../src/platform/demo-model/scenarios.ts';
import { REQUEST } from '../anthropic/calls.ts';
import { counter, playTurn } from './play-turn.ts';

const URL = 'https://demo.test/v1/messages';

function post(body: unknown, fetch = createDemoFetch({ paceMs: 0, freshId: counter() })) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(URL, { method: 'POST', body: text });
}

async function messageIn(response: Response): Promise<Anthropic.Message> {
  return (await response.json()) as Anthropic.Message;
}

const say = (content: unknown, more: object = {}) => ({
  model: 'demo',
  max_tokens: 100,
  messages: [{ role: 'user', content }],
  ...more,
});

describe('[RUN-9] the demo model on the wire', () => {
  it('is identical for the same conversation', async () => {
    const texts = [0, 1].map(async () => (await post(say('plan', { stream: true }))).text());
    const [first, second] = await Promise.all(texts);
    expect(first).toContain('event: message_stop');
    expect(first).toBe(second);
  });

  it('[COMPACT-1] summarizes what was written when it is asked for that', async () => {
    const messages = [
      { role: 'user', content: 'Plan a trip\nto the sea' },
      { role: 'assistant', content: 'Where to?' },
      { role: 'user', content: SUMMARY_ORDER },
    ];
    const { content } = await messageIn(await post(say('', { messages })));
    expect(content).toMatchObject([
      { type: 'text', text: 'The person wrote, in this order:\n\n- Plan a trip' },
    ]);
  });

  it('keeps no state: concurrent turns do not disturb each other', async () => {
    const fetch = createDemoFetch({ paceMs: 0, freshId: counter() });
    const alone = await messageIn(await post(say('write'), fetch));
    const many = await Promise.all(
      SCENARIOS.map(async ({ word }) => messageIn(await post(say(word), fetch))),
    );
    expect(many[1]?.content[0]).toEqual(alone.content[0]);
  });

  it('continues from the conversation alone, at any point of a repeat', async () => {
    const freshId = counter();
    const before = (await playTurn('questions', () => 'SQLite', { freshId })).messages;
    const turn = await playTurn('write', () => 'Wrote it', { before, freshId });
    const alone = await playTurn('write', () => 'Wrote it');
    expect(turn.texts).toEqual(alone.texts);
  });

  it('follows the order of events of the API', async () => {
    const client = new Anthropic({
      apiKey: 'demo',
      fetch: createDemoFetch({ paceMs: 0, freshId: counter() }),
    });
    const stream = client.messages.stream({
      model: 'demo',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'write' }],
    });
    const types: string[] = [];
    for await (const { type } of stream) if (types.at(-1) !== type) types.push(type);
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const message = await stream.finalMessage();
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content[1]).toMatchObject({ name: 'Write', input: { path: 'hello.md' } });
    expect(message.usage.output_tokens).toBeGreaterThan(1);
  });

  it('returns no id twice, not even for the same conversation', async () => {
    const ids = await Promise.all(
      [0, 1].map(async () => messageIn(await post(say('write'), demoFetch))),
    );
    const used = ids.flatMap(({ id, content }) => [id, JSON.stringify(content[1])]);
    expect(new Set(used).size).toBe(4);
  });
});

describe('[RUN-9] the demo model refuses the same requests as the API', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} };
  const refused: Record<string, unknown> = {
    'no JSON': '{"messages":',
    'no messages': { model: 'demo', max_tokens: 1, messages: [] },
    'blank text': say([{ type: 'text', text: ' ' }]),
    'a field that is none': say([{ type: 'text', text: 'Hm', isError: true }]),
    'a call without its result': {
      ...say('Hm'),
      messages: [
        { role: 'user', content: 'Hm' },
        { role: 'assistant', content: [call] },
        { role: 'user', content: 'And?' },
      ],
    },
  };

  it.each(Object.entries(refused))('%s', async (_name, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.any(String) as string },
    });
  });

  it('any other address', async () => {
    expect((await demoFetch('https://demo.test/v1/models')).status).toBe(404);
  });
});

it('[RUN-9] takes seconds over a long answer, so that a person can stop it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const start = Date.now();
  const response = await post(say('long', { stream: true }), demoFetch);
  const reading = response.text().then((text) => ({ text, ms: Date.now() - start }));
  // Not all timers: another file of this process may have one that is set again and again.
  await vi.advanceTimersByTimeAsync(60_000);
  const { text, ms } = await reading;
  expect(text).toContain('message_stop');
  expect(ms).toBeGreaterThan(6_000);
  expect(ms).toBeLessThan(10_000);
});

describe('[RUN-6] an abort of the demo model', () => {
  it('ends a long answer in the middle', async () => {
    const stop = new AbortController();
    const model = anthropicModel({ apiKey: 'demo', fetch: demoFetch });
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'long' }] }] as const;
    let heard = 0;
    const outcome = await model.call(
      { ...REQUEST, messages },
      {
        signal: stop.signal,
        onDelta() {
          heard += 1;
          stop.abort();
        },
      },
    );
    expect(outcome).toEqual({ type: 'aborted' });
    expect(heard).toBe(1);
  });
});
