/** A server that ended by itself must come back without anybody, and one that cannot must not be tried for ever. */
import { expect, it, vi } from 'vitest';
import { keepRunning } from '../../scripts/lib/keep-running.ts';
import { NotYet } from '../../scripts/lib/local-credentials.ts';
import type { Exit } from '../../scripts/workerd.ts';

class FakeServer {
  readonly exited: Promise<Exit>;
  readonly output: () => string;
  end!: (exit: Exit) => void;

  constructor(printed: string) {
    this.output = () => printed;
    this.exited = new Promise((resolve) => {
      this.end = resolve;
    });
  }
}

const OUT_OF_FILES =
  '*** Fatal uncaught kj::Exception: rust/cxx/kj-rs-io/ffi.rs:184: overloaded: accept(): Too many open files (os error 24)\n';

/** Every server that is started ends after so many milliseconds; without one it stays. */
function world(
  lives: readonly (number | 'fails to start' | 'finds no file')[],
  printed = 'a trace\n',
) {
  let now = 0;
  let stop!: () => void;
  const said: string[] = [];
  const pauses: number[] = [];
  const left = [...lives];
  const start = () => {
    const life = left.shift();
    if (life === 'fails to start') throw new Error('Port taken');
    if (life === 'finds no file') throw new Error(`workerd ended.\n${OUT_OF_FILES}`);
    const server = new FakeServer(printed);
    if (life !== undefined)
      queueMicrotask(() => {
        now += life;
        server.end({ code: 1, signal: null });
      });
    return server;
  };
  const ports = {
    start: async () => start(),
    greet: async () => {},
    stopAsked: new Promise<void>((resolve) => {
      stop = resolve;
    }),
    sleep: async (ms: number) => {
      pauses.push(ms);
      now += ms;
    },
    now: () => now,
    say: (line: string) => {
      said.push(line);
    },
  };
  return { ports, said, pauses, stop: () => stop() };
}

it('[OPS-1] starts a server again each time, after a growing pause, until it shall stop', async () => {
  const { ports, said, pauses, stop } = world([10, 10, 'fails to start']);
  const running = keepRunning(ports);
  while (pauses.length < 3) await Promise.resolve();
  stop();
  expect(await running).toBeInstanceOf(FakeServer);
  expect(pauses).toEqual([250, 500, 1_000]);
  expect(said.filter((line) => line.includes('exit code 1'))).toHaveLength(2);
  expect(said).toContain('Port taken');
  expect(said.at(-1)).toContain('runs again');
});

it('[OPS-1] gives up with a sentence at the fifth end within a minute', async () => {
  const { ports, pauses } = world([10, 10, 'fails to start', 10, 10]);
  await expect(keepRunning(ports)).rejects.toThrow(/5 times within a minute/);
  expect(pauses).toEqual([250, 500, 1_000, 2_000]);
});

it('[OPS-1] goes on while connections take the last file, before and after it serves, with a short pause each time', async () => {
  const lives = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 10 : 'finds no file'));
  const { ports, pauses, said, stop } = world(lives, OUT_OF_FILES);
  const running = keepRunning(ports);
  await vi.waitFor(() => expect(pauses).toHaveLength(20));
  stop();
  expect(await running).toBeInstanceOf(FakeServer);
  expect(new Set(pauses)).toEqual(new Set([250]));
  expect(said).toContain('Connections have taken its last file.');
});

it('[OPS-1] tries the first start again when it finds no file, and gives it up at once for another reason', async () => {
  const { ports, pauses, stop } = world(Array.from({ length: 9 }, () => 'finds no file' as const));
  const running = keepRunning(ports);
  await vi.waitFor(() => expect(pauses).toHaveLength(9));
  stop();
  expect(await running).toBeInstanceOf(FakeServer);
  expect(new Set(pauses)).toEqual(new Set([250]));

  const other = world(['fails to start']);
  await expect(keepRunning(other.ports)).rejects.toThrow('Port taken');
  expect(other.pauses).toEqual([]);
});

it('[OPS-1] watches the server from its first moment: one that ends before the greeting is started again and greets once', async () => {
  const { ports, said, stop } = world([10, 10], OUT_OF_FILES);
  let asked = 0;
  const greet = async () => {
    asked++;
    if (asked < 4) throw new NotYet('No answer.');
  };
  const running = keepRunning({ ...ports, greet });
  await vi.waitFor(() => expect(asked).toBe(4));
  await vi.waitFor(() => expect(said.at(-1)).toContain('runs again'));
  stop();
  expect(await running).toBeInstanceOf(FakeServer);
  expect(asked).toBe(4);
  expect(said.filter((line) => line.includes('No answer.'))).toHaveLength(1);
});

it('[OPS-1] ends with the reason when the greeting is refused', async () => {
  const { ports } = world([]);
  const greet = () => Promise.reject(new Error('The key is refused.'));
  await expect(keepRunning({ ...ports, greet })).rejects.toThrow('The key is refused.');
});

it('counts a minute, not a lifetime: the pause is short again and nothing is given up', async () => {
  const lives = Array.from({ length: 20 }, () => 30_000);
  const { ports, pauses, stop } = world(lives);
  const running = keepRunning(ports);
  while (pauses.length < 20) await Promise.resolve();
  stop();
  await running;
  expect(new Set(pauses)).toEqual(new Set([250, 500]));
});

it('stops while it waits for the next start, with nothing to stop', async () => {
  const { ports, stop } = world([10]);
  const running = keepRunning({ ...ports, sleep: () => new Promise(() => {}) });
  await new Promise((resolve) => setImmediate(resolve));
  stop();
  expect(await running).toBeUndefined();
});
