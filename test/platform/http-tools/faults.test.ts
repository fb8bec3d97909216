/**
 * Everything that can go wrong with a call, over a real connection where there is one.
 *
 * A bug here looks like a turn that hangs, a session that cannot rest, or a model that takes a tool that may have run
 * for one that has not.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startToolReceiver } from '../../support/tool-receiver.ts';
import { SECRET, callReceiver, callTool } from './calls.ts';

const MAY_HAVE_RUN = 'The tool may have run all the same.';
const error = (content: string) => ({ content, isError: true });
const STOPPED = error(`The call was stopped. ${MAY_HAVE_RUN}`);
const TEXT = { 'content-type': 'text/plain' };
const never = () => new Promise<Response>(() => {});

afterEach(() => {
  vi.useRealTimers();
});

describe('[RUN-8] a tool that is slow', () => {
  it('is aborted after its time limit, before its answer or in the middle of it', async () => {
    // Long enough for a request to arrive on a machine that is busy.
    const call = { timeoutMs: 1_000 };
    const [silent, stalling] = await Promise.all([
      callReceiver(() => {}, { call }),
      callReceiver((response) => response.writeHead(200, TEXT).write('half of it'), { call }),
    ]);
    const expected = error(`The tool did not answer within 1 second. ${MAY_HAVE_RUN}`);
    expect([silent.output, stalling.output]).toEqual([expected, expected]);
    await Promise.all([silent.receiver.hangUp, stalling.receiver.hangUp]);
  });

  it('is abandoned too if the platform does not pass the abort on', async () => {
    const call = { timeoutMs: 50 };
    const expected = error(`The tool did not answer within 0.05 seconds. ${MAY_HAVE_RUN}`);
    expect(await callTool({ call, options: { fetch: never } })).toEqual(expected);
    const fetch = async () => new Response(new ReadableStream(), { headers: TEXT });
    expect(await callTool({ call, options: { fetch } })).toEqual(expected);
  });

  it('leaves no timer behind when it has answered, or failed', async () => {
    vi.useFakeTimers();
    const answers = async () => new Response('ok');
    const fails = async () => Promise.reject(new TypeError('fetch failed'));
    for (const fetch of [answers, fails]) await callTool({ options: { fetch } });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('[RUN-6] a call that is interrupted', () => {
  it('before its start is not sent', async () => {
    const signal = AbortSignal.abort();
    const { output, receiver } = await callReceiver((response) => response.end(), { signal });
    expect(output).toEqual(error('The call was stopped before it was sent.'));
    expect(receiver.received).toEqual([]);
  });

  it('before its answer ends at once, and hangs up', async () => {
    const controller = new AbortController();
    const { output, receiver } = await callReceiver(() => controller.abort(), {
      signal: controller.signal,
    });
    expect(output).toEqual(STOPPED);
    await receiver.hangUp;
  });

  it('in the middle of its answer ends at once, and hangs up', async () => {
    const controller = new AbortController();
    const { output, receiver } = await callReceiver(
      (response) => {
        response.writeHead(200, TEXT).write('half of it');
        setTimeout(() => controller.abort(), 30);
      },
      { signal: controller.signal },
    );
    expect(output).toEqual(STOPPED);
    await receiver.hangUp;
  });

  it('after its end has no effect', async () => {
    const controller = new AbortController();
    const { output } = await callReceiver((response) => response.writeHead(200, TEXT).end('ok'), {
      signal: controller.signal,
    });
    controller.abort();
    expect(output).toEqual({ content: 'ok', isError: false });
  });
});

describe('[RUN-8] a connection', () => {
  it('that is refused is reported as refused: the tool has not run', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const output = await callTool({ call: { url: `http://127.0.0.1:${port}/run` } });
    expect(output).toEqual(error('The tool could not be reached (ECONNREFUSED).'));
  });

  it('that breaks before the answer leaves open whether the tool ran', async () => {
    const { output } = await callReceiver((response) => response.socket?.destroy());
    expect(output).toEqual(
      error(`The connection to the tool failed before it answered. ${MAY_HAVE_RUN}`),
    );
  });

  it('that breaks in the middle of the answer yields no partial answer', async () => {
    const { output } = await callReceiver((response) => {
      response.writeHead(200, { ...TEXT, 'content-length': '100' }).write('half of it');
      setTimeout(() => response.socket?.destroy(), 30);
    });
    expect(output).toEqual(
      error(`The connection to the tool was lost in the middle of its answer. ${MAY_HAVE_RUN}`),
    );
  });
});

describe('[RUN-8] a call', () => {
  it('to a forbidden address is not sent', async () => {
    const { output, receiver } = await callReceiver((response) => response.end(), {
      options: { allowPrivate: false },
    });
    expect(output).toEqual(error('The tool was not called: the URL does not use HTTPS.'));
    expect(receiver.received).toEqual([]);
    expect((await callTool({ call: { url: 'file:///etc/passwd' } })).isError).toBe(true);
  });

  it('never rejects, and does not show the message of the platform', async () => {
    const secrets = `${SECRET} https://tools.example.com/run?key=s3cret`;
    const throwing = [
      () => {
        throw new Error(secrets);
      },
      () => Promise.reject(new Error(secrets, { cause: { code: secrets } })),
      () => Promise.reject(Object.assign(new TypeError(secrets), { code: 'ECONNREFUSED' })),
      // A rejection may hold any value.
      () => Promise.reject(secrets),
      () => Promise.reject(undefined),
    ];
    for (const fetch of throwing) {
      expect(await callTool({ options: { fetch } })).toEqual(
        error(`The connection to the tool failed before it answered. ${MAY_HAVE_RUN}`),
      );
    }
  });

  it('does not reject an id that no header can hold', async () => {
    const { url } = await startToolReceiver((response) => response.end());
    const { isError } = await callTool({ call: { url, toolCallId: 'a\nb' } });
    expect(isError).toBe(true);
  });

  it('calls `fetch` as a plain function, as a Worker requires', async () => {
    const called: unknown[] = [];
    function fetch(this: unknown) {
      called.push(this);
      return Promise.resolve(new Response('ok'));
    }
    await callTool({ options: { fetch } });
    expect(called).toEqual([undefined]);
  });
});
