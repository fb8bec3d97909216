/**
 * Everything that can go wrong with a call, over a real connection.
 *
 * A bug here looks like a turn that hangs, a failure that is retried without end, or a stored partial answer.
 */
import { describe, expect, it } from 'vitest';
import type { ModelFailed } from '../../../src/agent/model.ts';
import { anthropicModel } from '../../../src/platform/anthropic/anthropic-model.ts';
import { type Reply, answer, refusal, upTo } from '../../support/messages-api/reply.ts';
import { API_KEY, REQUEST, callWith } from './calls.ts';

const CALL = { type: 'tool_use', id: 'toolu_1', name: 'Write', input: { path: 'a.md' } };
const ANSWER = answer([{ type: 'text', text: 'A few words' }, CALL], { stopReason: 'tool_use' });
const DROP = [{ drop: true }] as const;
const raw = (event: string, data: string) => ({ raw: `event: ${event}\ndata: ${data}\n\n` });
const errorEvent = (type: string) =>
  raw('error', JSON.stringify({ type: 'error', error: { type, message: 'scripted' } }));

type Expected = Pick<ModelFailed, 'reason' | 'retry'> & Partial<ModelFailed>;
const later = (reason: ModelFailed['reason']): Expected => ({ reason, retry: 'later' });
const never = (reason: ModelFailed['reason'], word: string): Expected => ({
  reason,
  retry: 'never',
  message: expect.stringContaining(word) as string,
});

const REFUSED: Record<string, [Reply, Expected]> = {
  '429': [refusal(429, 'rate_limit_error'), later('rate_limited')],
  '429 with seconds': [
    refusal(429, 'rate_limit_error', 'slow down', { 'retry-after': '7' }),
    { ...later('rate_limited'), retryAfterMs: 7_000 },
  ],
  '529': [refusal(529, 'overloaded_error'), later('overloaded')],
  '529 with milliseconds': [
    refusal(529, 'overloaded_error', 'busy', { 'retry-after-ms': '1500', 'retry-after': '2' }),
    { ...later('overloaded'), retryAfterMs: 1_500 },
  ],
  '529 with a wait that is none': [
    refusal(529, 'overloaded_error', 'busy', { 'retry-after': 'soon' }),
    later('overloaded'),
  ],
  '500': [refusal(500, 'api_error'), later('server_error')],
  '502 from something between': [
    { status: 502, body: '<h1>Bad gateway</h1>' },
    later('server_error'),
  ],
  '504': [{ status: 504, body: '' }, later('timeout')],
  '400': [
    refusal(400, 'invalid_request_error', 'max_tokens: too large'),
    never('invalid_request', 'max_tokens: too large'),
  ],
  '401': [refusal(401, 'authentication_error'), never('not_authorized', 'ANTHROPIC_API_KEY')],
  '402': [refusal(402, 'billing_error'), never('not_authorized', 'pay')],
  '403': [refusal(403, 'permission_error'), never('not_authorized', 'may not use this model')],
  '404': [refusal(404, 'not_found_error', 'model: sonet'), never('not_found', 'model: sonet')],
  '413': [refusal(413, 'request_too_large'), never('too_long', 'too large')],
  '400 for more tokens than the window': [
    refusal(400, 'invalid_request_error', 'prompt is too long: 201034 tokens > 200000 maximum'),
    never('too_long', 'too long for the model'),
  ],
  '400 for no room for an answer': [
    refusal(
      400,
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000',
    ),
    never('too_long', 'exceed context limit'),
  ],
  '418, which means nothing here': [
    refusal(418, 'teapot_error'),
    never('invalid_request', 'refused'),
  ],
};

const BROKEN: Record<string, [Reply, Expected]> = {
  'overloaded in the middle': [
    upTo(ANSWER, 'content_block_delta', [errorEvent('overloaded_error')]),
    later('overloaded'),
  ],
  'an error of an unknown type in the middle': [
    upTo(ANSWER, 'content_block_delta', [errorEvent('bad_weather_error')]),
    later('server_error'),
  ],
  'a refusal in the middle': [
    upTo(ANSWER, 'content_block_delta', [errorEvent('authentication_error')]),
    never('not_authorized', 'ANTHROPIC_API_KEY'),
  ],
  'cut before the first event': [{ steps: DROP }, later('connection_lost')],
  'cut after the first event': [upTo(ANSWER, 'message_start', DROP), later('connection_lost')],
  'cut in text': [upTo(ANSWER, 'content_block_delta', DROP), later('connection_lost')],
  'cut in the input of a call': [
    upTo(ANSWER, 'content_block_delta', DROP, 6),
    later('connection_lost'),
  ],
  'cut after the last block': [
    upTo(ANSWER, 'content_block_stop', DROP, 2),
    later('connection_lost'),
  ],
  'cut before message_stop': [upTo(ANSWER, 'message_delta', DROP), later('connection_lost')],
  'ended, not cut, before message_stop': [
    upTo(ANSWER, 'message_delta', []),
    later('malformed_answer'),
  ],
  'ended in text': [upTo(ANSWER, 'content_block_delta', []), later('malformed_answer')],
  'a stream without events': [{ steps: [] }, later('malformed_answer')],
  'a page instead of a stream': [
    { status: 200, body: '<h1>Sign in</h1>' },
    later('malformed_answer'),
  ],
  'an event that is no JSON': [
    upTo(ANSWER, 'content_block_delta', [raw('content_block_delta', '{"type":"content_b')]),
    later('malformed_answer'),
  ],
  'an event without its fields': [
    upTo(ANSWER, 'content_block_start', [
      { event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta' } } },
    ]),
    later('malformed_answer'),
  ],
  'a delta for a block that never began': [
    upTo(ANSWER, 'message_start', [
      {
        event: {
          type: 'content_block_delta',
          index: 4,
          delta: { type: 'text_delta', text: 'Lost' },
        },
      },
    ]),
    later('malformed_answer'),
  ],
  'a second beginning': [
    upTo(ANSWER, 'message_start', [
      { event: { type: 'content_block_stop', index: 0 } },
      { event: { type: 'message_start', message: { role: 'assistant', usage: {} } } },
    ]),
    later('malformed_answer'),
  ],
  'no reason to stop': [
    {
      steps:
        'steps' in ANSWER
          ? ANSWER.steps.filter((step) => !('event' in step && step.event.type === 'message_delta'))
          : [],
    },
    later('malformed_answer'),
  ],
};

/** Of a call that the model marks as complete. */
const INPUTS: Record<string, string> = {
  'is cut off': '{"path":"a.md","content":"Dea',
  'is no JSON': '{"path": oops}',
  'goes on after its end': '{"path":"a.md"}}',
  'is no object': '["a.md"]',
};

/** Inputs that are JSON and would not survive a round trip. A repeated request would give the same input again. */
const UNSAFE_INPUTS: Record<string, string> = {
  'has a key twice': '{"path":"a.md","path":"b.md"}',
  'reaches for a prototype': '{"__proto__":{"path":"a.md"}}',
  'has an unsafe number': '{"path":"a.md","line":9007199254740993}',
  'has half a surrogate pair': '{"path":"\\ud800.md"}',
};

describe('[RUN-7] a call that the API refuses', () => {
  it.each(Object.entries(REFUSED))('%s', async (_name, [reply, expected]) => {
    const { outcome, deltas, api } = await callWith(reply);
    expect(outcome).toEqual({ type: 'failed', message: expect.any(String) as string, ...expected });
    expect(deltas).toEqual([]);
    // Only the run tries again, from storage.
    expect(api.received).toHaveLength(1);
  });
});

describe('[RUN-7] an answer that breaks', () => {
  it.each(Object.entries(BROKEN))('%s', async (_name, [reply, expected]) => {
    const { outcome, api } = await callWith(reply);
    expect(outcome).toMatchObject({ type: 'failed', ...expected });
    expect(api.received).toHaveLength(1);
  });

  it.each(Object.entries(INPUTS))('a call whose input %s', async (_name, json) => {
    const reply = answer([{ ...CALL, json }], { stopReason: 'tool_use' });
    expect((await callWith(reply)).outcome).toMatchObject({
      type: 'failed',
      ...later('malformed_answer'),
    });
  });

  it.each(Object.entries(UNSAFE_INPUTS))(
    '[RUN-5] but not a call whose input %s: it stays without input, to be refused',
    async (_name, json) => {
      const reply = answer([{ ...CALL, json }], { stopReason: 'tool_use' });
      const { outcome } = await callWith(reply);
      const { id, name } = CALL;
      const inputProblem = expect.any(String) as string;
      const content = [{ type: 'tool_use', id, name, input: {}, inputProblem }];
      expect(outcome).toMatchObject({ type: 'answered', message: { content } });
    },
  );

  it('after its end leaves the answer whole', async () => {
    const { outcome } = await callWith(upTo(ANSWER, 'message_stop', DROP));
    expect(outcome).toMatchObject({ type: 'answered', message: { content: [{}, CALL] } });
  });
});

describe('[RUN-7] a silent model', () => {
  it('before its answer starts', async () => {
    const fetch = (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        const stop = () => reject(new DOMException('aborted', 'AbortError'));
        init?.signal?.addEventListener('abort', stop);
      });
    const model = anthropicModel({ apiKey: API_KEY, fetch, beginMs: 5 });
    const outcome = await model.call(REQUEST, { signal: new AbortController().signal });
    expect(outcome).toMatchObject({ type: 'failed', ...later('timeout') });
  });

  it('in the middle of a refusal', async () => {
    const fetch = async (_input: unknown, init?: RequestInit) => {
      const body = new ReadableStream({
        start(controller) {
          init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
        },
      });
      return new Response(body, { status: 529 });
    };
    const model = anthropicModel({ apiKey: API_KEY, fetch, idleMs: 5 });
    const outcome = await model.call(REQUEST, { signal: new AbortController().signal });
    expect(outcome).toMatchObject({ type: 'failed', ...later('overloaded') });
  });

  it('in the middle of its answer, and the connection is released', async () => {
    const stalled = upTo(ANSWER, 'content_block_delta', [{ stall: true }]);
    const { outcome, api } = await callWith(stalled, { idleMs: 20 });
    expect(outcome).toMatchObject({ type: 'failed', ...later('timeout') });
    await expect.poll(() => api.hungUp).toBe(1);
  });
});

describe('a server that is not there', () => {
  it('is tried again later', async () => {
    const model = anthropicModel({ apiKey: API_KEY, baseURL: 'http://127.0.0.1:1' });
    const outcome = await model.call(REQUEST, { signal: new AbortController().signal });
    expect(outcome).toMatchObject({ type: 'failed', ...later('connection_lost') });
  });
});

describe('a call that cannot be made', () => {
  it.each([
    ['with a key that fits no header', { apiKey: 'schlüssel→' }],
    ['to an address that is none', { baseURL: 'nowhere' }],
  ])('%s is not tried again', async (_name, overrides) => {
    const { outcome, api } = await callWith(ANSWER, overrides);
    expect(outcome).toMatchObject({ type: 'failed', ...never('internal', 'Check its key') });
    expect(api.received).toEqual([]);
  });
});

describe('[RUN-6] an abort', () => {
  it('before the answer begins ends the connection', async () => {
    const stop = new AbortController();
    const fetch = (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        stop.abort();
      });
    const model = anthropicModel({ apiKey: API_KEY, fetch });
    expect(await model.call(REQUEST, { signal: stop.signal })).toEqual({ type: 'aborted' });
  });

  it('before the call sends no request', async () => {
    const { outcome, api } = await callWith(ANSWER, { signal: AbortSignal.abort() });
    expect(outcome).toEqual({ type: 'aborted' });
    expect(api.received).toEqual([]);
  });

  it('in the middle of an answer ends the connection', async () => {
    const stop = new AbortController();
    const stalled = upTo(ANSWER, 'content_block_delta', [{ stall: true }]);
    const { outcome, api } = await callWith(stalled, {
      signal: stop.signal,
      onDelta: () => stop.abort(),
    });
    expect(outcome).toEqual({ type: 'aborted' });
    await expect.poll(() => api.hungUp).toBe(1);
  });

  it('counts even if the answer is whole by then', async () => {
    const stop = new AbortController();
    const { outcome, deltas } = await callWith(ANSWER, {
      signal: stop.signal,
      onDelta: () => stop.abort(),
    });
    expect(outcome).toEqual({ type: 'aborted' });
    expect(deltas).toHaveLength(1);
  });
});

describe('the message of a failure', () => {
  it('never holds the key', async () => {
    const quoting = refusal(401, 'authentication_error', `invalid x-api-key ${API_KEY}`);
    const { outcome } = await callWith(quoting);
    expect(JSON.stringify(outcome)).not.toContain(API_KEY);
    expect(outcome).toMatchObject({ message: expect.stringContaining('<redacted>') as string });
  });

  it('is short, however long the message of the API', async () => {
    const { outcome } = await callWith(refusal(400, 'invalid_request_error', 'x'.repeat(50_000)));
    expect((outcome as ModelFailed).message.length).toBeLessThan(1_000);
  });

  it('does not blame the model for a listener that throws', async () => {
    const { outcome } = await callWith(ANSWER, {
      onDelta() {
        throw new TypeError('planted');
      },
    });
    expect(outcome).toMatchObject({ type: 'failed', reason: 'internal', retry: 'never' });
  });
});
