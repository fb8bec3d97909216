/**
 * The stream of the SDK with what happens to its questions in between.
 *
 * The naive way is a race of the next message against the next event. Here it is beside ours, and
 * loses a message: `next()` was called, the event won, and what comes later goes to nobody.
 */
import { describe, expect, it } from 'vitest';
import { EventQueue, mergeWithInteractions } from '../../src/integrations/claude/index.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An SDK whose messages come when the test says so. */
function handSdk() {
  const waiting: ((result: IteratorResult<string, void>) => void)[] = [];
  const ready: IteratorResult<string, void>[] = [];
  const calls: string[] = [];
  const give = (result: IteratorResult<string, void>) => {
    const next = waiting.shift();
    if (next === undefined) ready.push(result);
    else next(result);
  };
  const iterator: AsyncIterator<string, void> = {
    next() {
      const result = ready.shift();
      if (result !== undefined) return Promise.resolve(result);
      return new Promise((resolve) => waiting.push(resolve));
    },
    async return() {
      calls.push('return');
      give({ done: true, value: undefined });
      return { done: true, value: undefined };
    },
    async throw(cause: unknown) {
      calls.push('throw');
      throw cause;
    },
  };
  return {
    iterator,
    calls,
    say: (value: string) => give({ done: false, value }),
    end: () => give({ done: true, value: undefined }),
  };
}

async function* naive(messages: AsyncIterator<string, void>, queue: EventQueue<string>) {
  for (;;) {
    const pushed = new Promise<void>((resolve) => queue.listen(resolve));
    const event = queue.take();
    if (event !== undefined) {
      yield event.event;
      continue;
    }
    const won = await Promise.race([messages.next(), pushed]);
    if (won === undefined) continue;
    if (won.done === true) return;
    yield won.value;
  }
}

async function story(
  merge: (
    messages: AsyncIterator<string, void>,
    queue: EventQueue<string>,
  ) => AsyncIterable<string>,
) {
  const sdk = handSdk();
  const queue = new EventQueue<string>();
  const seen: string[] = [];
  const all = (async () => {
    for await (const one of merge(sdk.iterator, queue)) seen.push(one);
  })();
  sdk.say('message 1');
  await turn();
  queue.push('asked');
  await turn();
  queue.push('answered');
  await turn();
  sdk.say('message 2');
  await turn();
  sdk.say('message 3');
  sdk.end();
  sdk.end();
  sdk.end();
  await all;
  return seen;
}

describe('messages and interactions', () => {
  it('[STR-2] come in order, and no message is lost when the queue is faster', async () => {
    const expected = ['message 1', 'asked', 'answered', 'message 2', 'message 3'];
    expect(await story(mergeWithInteractions)).toEqual(expected);
    const lost = await story(naive);
    expect(lost, 'the naive race loses what this is about').not.toEqual(expected);
    expect(lost).not.toContain('message 2');
  });

  it('[STR-2] lets the queue go first before each message, and after the last', async () => {
    const sdk = handSdk();
    const queue = new EventQueue<string>();
    const merged = mergeWithInteractions(sdk.iterator, queue);
    queue.push('a');
    queue.push('b');
    sdk.say('message 1');
    expect((await merged.next()).value).toBe('a');
    expect((await merged.next()).value).toBe('b');
    expect((await merged.next()).value).toBe('message 1');
    const next = merged.next();
    // In one moment: the message came first, the queue still goes before it.
    sdk.say('message 2');
    queue.push('c');
    expect((await next).value).toBe('c');
    expect((await merged.next()).value).toBe('message 2');
    const last = merged.next();
    sdk.end();
    queue.push('d');
    expect((await last).value).toBe('d');
    expect(await merged.next()).toEqual({ done: true, value: undefined });
    queue.push('too late');
    expect(await merged.next()).toEqual({ done: true, value: undefined });
  });

  it('[STR-2] gives those who ask several times at once one thing each, in order', async () => {
    const sdk = handSdk();
    const queue = new EventQueue<string>();
    const merged = mergeWithInteractions(sdk.iterator, queue);
    const asked = [merged.next(), merged.next(), merged.next()];
    queue.push('a');
    await turn();
    sdk.say('message 1');
    sdk.end();
    const values = (await Promise.all(asked)).map(({ value }) => value);
    expect(values).toEqual(['a', 'message 1', undefined]);
  });

  it('[STR-2] ends the SDK when it is left, also while a message is awaited', async () => {
    const sdk = handSdk();
    const queue = new EventQueue<string>();
    queue.push('asked');
    for await (const one of mergeWithInteractions(sdk.iterator, queue)) {
      expect(one).toBe('asked');
      break;
    }
    expect(sdk.calls).toEqual(['return']);

    const other = handSdk();
    const merged = mergeWithInteractions(other.iterator, new EventQueue<string>());
    const next = merged.next();
    await turn();
    await merged.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    await merged.return?.();
    expect(other.calls).toEqual(['return']);
  });

  it('[STR-2] passes on what is thrown into it', async () => {
    const sdk = handSdk();
    const merged = mergeWithInteractions(sdk.iterator, new EventQueue<string>());
    await expect(merged.throw?.(new Error('stop'))).rejects.toThrow('stop');
    expect(sdk.calls).toEqual(['throw']);
    expect((await merged.next()).done).toBe(true);
  });

  it('[STR-2] fails as the SDK fails, once, and after what was queued before', async () => {
    const queue = new EventQueue<string>();
    async function* messages() {
      yield 'message 1';
      queue.push('asked');
      await turn();
      throw new Error('the process ended');
    }
    const seen: string[] = [];
    const merged = mergeWithInteractions(messages(), queue);
    const all = async () => {
      for await (const one of merged) seen.push(one);
    };
    await expect(all()).rejects.toThrow('the process ended');
    expect(seen).toEqual(['message 1', 'asked']);
    expect((await merged.next()).done).toBe(true);
  });

  it('[STR-2] fails where an SDK throws instead of rejecting, and leaves no failure unhandled', async () => {
    const broken: AsyncIterator<string> = {
      next() {
        throw new Error('broken');
      },
    };
    const merged = mergeWithInteractions(broken, new EventQueue<string>());
    await expect(merged.next()).rejects.toThrow('broken');

    let fail: (cause: Error) => void = () => undefined;
    const failing: AsyncIterator<string> = {
      next: () => new Promise((_resolve, reject) => (fail = reject)),
    };
    const queue = new EventQueue<string>();
    const left = mergeWithInteractions(failing, queue);
    const next = left.next();
    queue.push('asked');
    await next;
    await left.return?.();
    fail(new Error('nobody listens any more'));
    await turn();
  });
});
