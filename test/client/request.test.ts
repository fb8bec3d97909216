/**
 * Requests and their repeats, over a scripted network. A bug would look like a command carried out twice, or
 * a request abandoned where a second try was safe.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { HttpTransportOptions } from '../../src/client/connection/subscriptions.ts';
import { expectRefused } from '../contract/transport/questions.ts';
import { HandWorld } from '../support/client/hand-world.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly token: string | null;
}
type Answer = () => Response | Promise<Response>;

const lost: Answer = () => Promise.reject(new TypeError('fetch failed'));
const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return () => Response.json(body, { status, headers });
};
const refuse = (status: number, code: string, details?: object, headers = {}): Answer =>
  json(status, { error: { code, message: `It is ${code}`, details, requestId: 'req_1' } }, headers);

class NoPause extends HandWorld {
  override chance(): number {
    return 0;
  }
}

/** Answers in their order; the last one again and again. */
function start(answers: readonly Answer[], options: Partial<HttpTransportOptions> = {}) {
  const asked: Asked[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    asked.push({
      method: init?.method ?? '',
      path: new URL(new Request(input).url).pathname,
      key: headers.get('Idempotency-Key'),
      token: headers.get('Authorization'),
    });
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer === undefined) throw new Error('No answer was planned');
    return answer();
  };
  const world = new NoPause();
  const url = 'https://holdpoint.test/base/';
  const transport = new HttpTransport({
    url,
    token: 'hp_1',
    fetch,
    environment: world,
    ...options,
  });
  onTestFinished(() => transport.close());
  return { transport, asked };
}

const session = { id: 'demo', title: null };
const settled = { interactionId: 'c~1', status: 'settled', outcome: 'cancelled' };

it('[TRN-3] a cancel whose first reply was lost is the caller’s own', async () => {
  const yours = { interactionId: 'c~1', outcome: 'cancelled', yours: true };
  const { transport, asked } = start([
    lost,
    refuse(409, 'already_settled', yours),
    json(200, { interaction: settled, settled: true, now: 0 }),
  ]);
  expect(await transport.cancel('demo', 'c~1')).toEqual({
    ok: true,
    isMine: true,
    interaction: settled,
  });
  expect(asked.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'GET']);
});

it('[TRN-3] keeps the reply of the server when the caller’s own answer cannot be read again', async () => {
  const { transport } = start([
    refuse(409, 'already_settled', { interactionId: 'c~1', yours: true }),
    refuse(403, 'forbidden'),
  ]);
  await expectRefused(transport.answer('demo', 'c~1', { decision: 'approve' }), 'already_settled');
  const batch = start([
    json(200, {
      results: [
        {
          ok: false,
          error: {
            code: 'already_settled',
            message: 'Late',
            details: { interactionId: 'c~1', yours: true },
          },
        },
      ],
    }),
    refuse(403, 'forbidden'),
  ]).transport;
  const answer = { decision: 'approve' };
  expect(await batch.decide('demo', [{ toolCallId: 'c', answer }])).toEqual([
    { ok: false, code: 'already_settled', message: 'Late' },
  ]);
});

describe('a request', () => {
  it('[TRN-5] that creates has a key of its own, and keeps it when it is repeated', async () => {
    const { transport, asked } = start([lost, refuse(503, 'write_failed'), json(201, { session })]);
    await transport.createSession();
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 3 }, () => 'POST /base/v1/sessions'),
    );
    expect(asked[0]?.key).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    await transport.createSession();
    expect(asked.at(-1)?.key).not.toBe(asked[0]?.key);
  });

  it('[TRN-2] with a value outside JSON is refused before it is sent, as it is in process', async () => {
    const { transport, asked } = start([json(200, { session })]);
    const cycle: Record<string, unknown> = {};
    cycle.itself = cycle;
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 12n, cycle]) {
      const request = { kind: 'approval', toolName: 'Bash', toolCallId: 'c', input: { bad } };
      await expectRefused(transport.open('demo', request), 'invalid_json');
    }
    expect(asked).toEqual([]);
  });

  it('[TRN-5] of every sort with POST has a key', async () => {
    const { transport, asked } = start([
      json(200, {
        session,
        interaction: settled,
        results: [],
        cancelled: 0,
        head: 1,
        routed: 'turn',
      }),
    ]);
    await transport.createSession();
    await transport.clear('demo');
    await transport.interrupt('demo');
    await transport.answer('demo', 'c~1', {});
    await transport.submitAnswers('demo', 'c', {});
    await transport.approveTool('demo', 'c');
    await transport.denyTool('demo', 'c');
    await transport.reviewPlan('demo', 'c~1', 'edit');
    await transport.submitForm('demo', 'c~1', {});
    await transport.answerText('demo', 'c~1', 'yes');
    await transport.decide('demo', []);
    await transport.extend('demo', 'c~1');
    await transport.cancelAll('demo');
    await transport.open('demo', { kind: 'approval', toolName: 'Bash' });
    await transport.appendEvents('demo', []);
    await transport.sendMessage('demo', 'Hello').routed;
    const posted = asked.filter(({ method }) => method === 'POST');
    expect(posted).toHaveLength(16);
    expect(new Set(posted.map(({ key }) => key ?? 'none')).size).toBe(16);
    expect(posted.every(({ key }) => key !== null)).toBe(true);
  });

  it('[TRN-5] is given up after a few tries, with an error that names the key to repeat it with', async () => {
    const { transport, asked } = start([lost]);
    const error = await expectRefused(transport.createSession(), 'unreachable');
    expect(asked).toHaveLength(4);
    expect(error).toMatchObject({ retry: 'now', details: { idempotencyKey: asked[0]?.key } });
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it('[TRN-5] that removes counts "not found" after a repeat as success, and only then', async () => {
    const gone = refuse(404, 'not_found');
    await start([lost, gone]).transport.deleteSession('demo');
    await start([lost, gone]).transport.revokeRule('demo', 'rule');
    await expectRefused(start([gone]).transport.deleteSession('demo'), 'not_found');
    const renewed = start([refuse(401, 'unauthenticated'), gone], { token: oneAfterAnother() });
    await expectRefused(renewed.transport.deleteSession('demo'), 'not_found');
  });

  it('is not repeated where a repeat cannot help', async () => {
    for (const answer of [refuse(409, 'step_moved'), refuse(429, 'limit_reached')]) {
      const { transport, asked } = start([answer]);
      await transport.answer('demo', 'c~1', {}).catch(() => undefined);
      expect(asked).toHaveLength(1);
    }
  });

  it('waits for a full rate limit, unless that would be long', async () => {
    const soon = refuse(429, 'rate_limited', { retryAfterSeconds: 0.01 });
    const { transport } = start([soon, json(201, { session })]);
    expect(await transport.createSession()).toEqual(session);
    const long = start([refuse(429, 'rate_limited', undefined, { 'Retry-After': '60' })]);
    const error = await expectRefused(long.transport.createSession(), 'rate_limited');
    expect(error).toMatchObject({ retry: 'later', details: { retryAfterSeconds: 60 } });
    expect(long.asked).toHaveLength(1);
  });

  it('[TRN-7] requests the token once more after a refusal', async () => {
    const refused = refuse(401, 'unauthenticated');
    const good = start([refused, json(200, { rules: [] })], { token: oneAfterAnother() });
    await good.transport.rules('demo');
    expect(good.asked.map(({ token }) => token)).toEqual(['Bearer hp_1', 'Bearer hp_2']);
    const bad = start([refused], { token: oneAfterAnother() });
    await expectRefused(bad.transport.rules('demo'), 'unauthenticated');
    expect(bad.asked).toHaveLength(2);
    const constant = start([refused]);
    await expectRefused(constant.transport.rules('demo'), 'unauthenticated');
    expect(constant.asked).toHaveLength(1);
    const nobody = start([refused], { token: () => '' });
    await expectRefused(nobody.transport.rules('demo'), 'unauthenticated');
    expect(nobody.asked).toHaveLength(0);
  });

  it('[TRN-7] requests one token, however many requests need it', async () => {
    let asks = 0;
    const token = async () => {
      asks += 1;
      return `hp_${asks}`;
    };
    const { transport } = start([json(200, { rules: [] })], { token });
    await Promise.all([transport.rules('a'), transport.rules('b'), transport.rules('c')]);
    expect(asks).toBe(1);
  });

  it('carries the message of the server in its error', async () => {
    const { transport } = start([refuse(422, 'invalid_values', { fieldErrors: { a: 'no' } })]);
    const error = await expectRefused(transport.submitForm('demo', 'c~1', {}), 'invalid_values');
    expect(error).toMatchObject({
      message: 'It is invalid_values',
      status: 422,
      requestId: 'req_1',
      details: { fieldErrors: { a: 'no' } },
      origin: 'server',
    });
  });

  it('puts any id into its path unchanged', async () => {
    const { transport, asked } = start([json(200, { rules: [] })]);
    await transport.rules('a/b?c#d');
    expect(asked[0]?.path).toBe('/base/v1/sessions/a%2Fb%3Fc%23d/rules');
  });

  it('[TRN-3] shows the recorded outcome when a repeated cancel comes too late', async () => {
    const late = refuse(409, 'already_settled', { outcome: 'cancelled' });
    const { transport } = start([lost, late, json(200, { interaction: settled })]);
    expect(await transport.cancel('demo', 'c~1')).toMatchObject({
      isMine: false,
      interaction: { outcome: 'cancelled' },
    });
  });

  it('ends at once when it is aborted, also between two tries', async () => {
    const stop = new AbortController();
    const hanging = start([() => new Promise<Response>(() => undefined)], {
      fetch: (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
        }),
    });
    const waiting = hanging.transport.interaction('demo', 'c~1', { signal: stop.signal });
    const refused = expectRefused(waiting, 'aborted');
    stop.abort();
    await refused;
    const closed = expectRefused(hanging.transport.rules('demo'), 'closed');
    hanging.transport.close();
    await closed;
  });
});

function oneAfterAnother(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `hp_${count}`;
  };
}
