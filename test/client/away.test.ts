/**
 * How long a call looks for a server that does not answer, by a clock that the test controls.
 *
 * A bug here looks like an agent that hangs for a minute at each of its calls, because its server is not started.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect, type ConnectOptions } from '../../src/client/agent/connect.ts';
import { altered, pair, SESSION, UNREACHABLE } from '../support/agent.ts';

const CALL = { toolName: 'Bash', input: { command: 'ls' } };
const BOUND_MS = 15_000;
const SHORT_MS = 2_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The milliseconds until the call was refused as unreachable. */
async function refusedAfter(asking: () => Promise<unknown>): Promise<number> {
  const since = Date.now();
  const refused = asking().then(
    () => expect.fail('It was answered'),
    (cause: unknown) => ({ cause, ms: Date.now() - since }),
  );
  await vi.advanceTimersByTimeAsync(10 * BOUND_MS);
  const { cause, ms } = await refused;
  expect(cause).toMatchObject({ code: 'unreachable' });
  return ms;
}

/** `refusedAfter` lets the clock run past the minute. */
function returnToRefusal(): void {
  vi.setSystemTime(Date.now() - 9 * BOUND_MS);
}

/** Answers nothing until a request is given up, and says so from then on. */
const silent: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
  });

const AT = { url: 'http://127.0.0.1:9', token: 'hp_x', session: SESSION, onRetry: () => {} };

describe('[GATE-5] a server that does not answer', () => {
  it.each([
    ['refuses connections', () => Promise.reject(new TypeError('fetch failed'))],
    ['is silent', silent],
  ])(
    'ends a call within 15 seconds, and the next one within two, where it %s',
    async (_how, fetch) => {
      const agent = connect({ ...AT, fetch });
      const first = await refusedAfter(() => agent.approve(CALL));
      expect(first).toBeGreaterThan(SHORT_MS);
      expect(first).toBeLessThanOrEqual(BOUND_MS);
      returnToRefusal();
      expect(await refusedAfter(() => agent.approve(CALL))).toBeLessThanOrEqual(SHORT_MS);
    },
  );

  it('is tried for the whole time again after its first answer, and after a minute', async () => {
    const { agentTransport, person } = pair();
    let isAway = true;
    const open: typeof agentTransport.open = (...args) =>
      isAway ? hang(args[2]?.signal) : agentTransport.open(...args);
    const agent = connect({ transport: altered(agentTransport, { open }), session: SESSION });
    expect(await refusedAfter(() => agent.approve(CALL))).toBe(BOUND_MS);
    returnToRefusal();
    isAway = false;
    const asked = agent.approve(CALL, { toolCallId: 'call-1' });
    await vi.waitFor(() => person.approveTool(SESSION, 'call-1'));
    expect(await asked).toMatchObject({ outcome: 'approved' });
    isAway = true;
    expect(await refusedAfter(() => agent.approve(CALL))).toBe(BOUND_MS);
    // The clock is past the minute here.
    expect(await refusedAfter(() => agent.approve(CALL))).toBe(BOUND_MS);
  });

  it('is remembered for every agent of the process at the same address, and for no other', async () => {
    vi.stubGlobal('fetch', silent);
    const options: ConnectOptions = { ...AT, url: 'http://127.0.0.1:11' };
    expect(await refusedAfter(() => connect(options).approve(CALL))).toBe(BOUND_MS);
    returnToRefusal();
    expect(await refusedAfter(() => connect(options).approve(CALL))).toBe(SHORT_MS);
    const other = connect({ ...options, url: 'http://127.0.0.1:12' });
    expect(await refusedAfter(() => other.approve(CALL))).toBe(BOUND_MS);
    vi.unstubAllGlobals();
  });

  it('has the time that the caller gives it', async () => {
    const agent = connect({ ...AT, fetch: silent, giveUpAfterSeconds: 40 });
    expect(await refusedAfter(() => agent.approve(CALL))).toBe(40_000);
    const own = connect({ ...AT, fetch: silent });
    expect(await refusedAfter(() => own.approve(CALL, { giveUpAfterSeconds: 1 }))).toBe(1_000);
  });

  it('ends no wait for a question that is open', async () => {
    const { agentTransport, person, onlyOpen } = pair();
    let failures = 0;
    const interaction: typeof agentTransport.interaction = (...args) => {
      if (Date.now() < back) {
        failures += 1;
        return Promise.reject(UNREACHABLE);
      }
      return agentTransport.interaction(...args);
    };
    const back = Date.now() + 20 * BOUND_MS;
    const agent = connect({
      transport: altered(agentTransport, { interaction }),
      session: SESSION,
    });
    const asked = agent.approve(CALL, { toolCallId: 'call-1' });
    await vi.advanceTimersByTimeAsync(0);
    await onlyOpen();
    await vi.advanceTimersByTimeAsync(15 * BOUND_MS);
    expect(failures).toBeGreaterThan(0);
    await person.approveTool(SESSION, 'call-1');
    await vi.advanceTimersByTimeAsync(10 * BOUND_MS);
    expect(await asked).toMatchObject({ outcome: 'approved' });
  });
});

function hang(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(UNREACHABLE));
  });
}
