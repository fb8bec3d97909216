/**
 * The warnings of an agent whose server is not at the configured address: without a warning, a wrong address
 * looks like a long wait.
 */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../src/client/agent/connect.ts';
import { ClientError } from '../../src/client/errors.ts';
import { HURRY, SESSION } from '../support/agent.ts';

const CALL = { toolName: 'Bash', input: { command: 'ls' } };

describe('an address', () => {
  it.each([
    ['localhost:8787', 'is "localhost:8787": write it like http://127.0.0.1:8787'],
    ['127.0.0.1:8787', 'write it like'],
    ['ws://127.0.0.1:8787', 'write it like'],
    ['http://127.0.0.1:8787/v1', 'leave out what follows the server'],
    ['http://127.0.0.1:8787/#token=hp_secret', 'a link for a person'],
    ['nonsense#token=hp_secret', 'is "nonsense"'],
  ])('[TRN-1] refuses %s as an address, shows a valid form, and repeats no token', (url, words) => {
    const thrown = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    vi.stubEnv('HOLDPOINT_URL', url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const error = thrown(() => connect({ token: 'hp_token' }));
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ code: 'not_holdpoint', retry: 'never' });
    expect(String(error)).toContain(words);
    expect(String(error)).toContain('HOLDPOINT_URL');
    expect(String(error)).not.toContain('hp_secret');
    expect(String(thrown(() => connect({ url, token: 'hp_token' })))).toContain('url is');
  });
});

describe('a server that cannot be reached', () => {
  const hanging = (_url: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });
  const refused = () => Promise.reject(new TypeError('fetch failed', { cause: REFUSED }));
  const REFUSED = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
    code: 'ECONNREFUSED',
  });
  const at = { url: 'http://127.0.0.1:9', token: 'hp_token', session: SESSION, timing: HURRY };

  function warnings() {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => said.mockRestore());
    return said;
  }

  it('[TRN-1] is reported once, after the first try, with the address and advice, and is tried again', async () => {
    const said = warnings();
    const fetch = vi.fn<typeof globalThis.fetch>(refused);
    const triesBefore: number[] = [];
    said.mockImplementation(() => void triesBefore.push(fetch.mock.calls.length));
    const agent = connect({ ...at, fetch });
    const waits = agent.approve(CALL).catch((error: unknown) => error);
    await vi.waitFor(() => expect(fetch.mock.calls.length).toBeGreaterThan(2), 30_000);
    await agent.close();
    expect(await waits).toMatchObject({ code: 'closed' });
    expect(triesBefore).toEqual([1]);
    expect(said.mock.calls.flat()).toEqual([
      'holdpoint: no answer from http://127.0.0.1:9 (connect ECONNREFUSED 127.0.0.1:9). Trying again. Does the server run there, and is HOLDPOINT_URL its address?',
    ]);
  });

  it('[TRN-1] is reported as well when it accepts the connection and never answers', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const said = warnings();
    const agent = connect({ ...at, fetch: hanging });
    const waits = agent.approve(CALL).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(said.mock.calls.flat()).toEqual([expect.stringContaining('No answer within 15000 ms')]);
    await agent.close();
    await waits;
  });

  it('[TRN-1] is reported to onRetry alone where the caller sets it, and an end by the caller is no failure', async () => {
    const said = warnings();
    const own = connect({ ...at, fetch: refused, onRetry: () => {} });
    await expect(own.approve(CALL, { giveUpAfterSeconds: 0 })).rejects.toMatchObject({
      code: 'unreachable',
    });
    const closed = connect({ ...at, fetch: hanging });
    const waits = closed.approve(CALL).catch((error: unknown) => error);
    await closed.close();
    expect(await waits).toMatchObject({ code: 'closed' });
    expect(said).not.toHaveBeenCalled();
    await own.close();
  });
});
