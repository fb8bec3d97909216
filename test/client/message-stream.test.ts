/**
 * Following the turn that a message starts, and leaving. A bug would look like a connection that stays open
 * after its last reader has left.
 */
import { describe, expect, it } from 'vitest';
import { ClientError } from '../../src/client/errors.ts';
import { messageFollower } from '../../src/client/message-stream/message-follower.ts';
import { messageStream } from '../../src/client/message-stream/message-stream.ts';
import type { Subscriber, Routed } from '../../src/client/transport.ts';
import { expectRefused } from '../contract/transport/questions.ts';
import { event, snapshot } from '../support/client/connection-cases.ts';
import { settle } from '../support/client/hand-world.ts';

function start(routed: () => Promise<Routed>, { isOld = false, mayRead = true } = {}) {
  const open: Subscriber[] = [];
  const after: number[] = [];
  const abort = new AbortController();
  const refused = new ClientError({
    code: 'forbidden',
    message: 'No',
    retry: 'never',
    status: 403,
  });
  const stream = messageStream(
    {
      snapshot: () => (mayRead ? Promise.resolve(snapshot(7)) : Promise.reject(refused)),
      send: routed,
      isOld: () => isOld,
      subscribe(subscriber, from) {
        open.push(subscriber);
        after.push(from);
        const close = () => void open.splice(open.indexOf(subscriber), 1);
        return { cursor: from, status: { type: 'live' }, reconnect: () => undefined, close };
      },
      interaction: () => Promise.reject(refused),
      follower: async () => messageFollower,
    },
    'Hello',
    abort.signal,
  );
  const say = (seq: number) => {
    const said = { seq, at: 1, type: 'user_message', payload: { text: 'Hello', subject: 'mia' } };
    for (const { events } of open) events?.([said as never, event(seq + 1)]);
  };
  return { stream, open, after, abort, say };
}
const toTurn = () => Promise.resolve({ routed: 'turn' } as const);

describe('following a message', () => {
  it('[STR-3] opens no subscription before the first read, and closes it when the reader leaves', async () => {
    const { stream, open, after, say } = start(toTurn);
    await stream.routed;
    expect(open).toHaveLength(0);
    const events = stream[Symbol.asyncIterator]();
    const first = events.next();
    await settle();
    expect(after).toEqual([7]);
    say(8);
    expect(await first).toMatchObject({ value: { type: 'text_delta', text: 'text 9' } });
    const pending = events.next();
    await events.return?.();
    expect(open).toHaveLength(0);
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('[STR-1] misses no event that arrives before the reply to the message', async () => {
    const { promise, resolve } = Promise.withResolvers<Routed>();
    const { stream, say } = start(() => promise);
    const first = stream[Symbol.asyncIterator]().next();
    await settle();
    say(8);
    resolve({ routed: 'turn' });
    expect(await first).toMatchObject({ value: { type: 'text_delta', text: 'text 9' } });
  });

  it('[STR-3] closes its subscription when it is aborted, and when the message is refused', async () => {
    const { stream, open, abort } = start(toTurn);
    const next = stream[Symbol.asyncIterator]().next();
    await settle();
    expect(open).toHaveLength(1);
    abort.abort();
    await expectRefused(next, 'aborted');
    expect(open).toHaveLength(0);
    const error = new ClientError({ code: 'ambiguous_text', message: 'Which?', retry: 'never' });
    const refused = start(() => Promise.reject(error));
    await expectRefused(refused.stream[Symbol.asyncIterator]().next(), 'ambiguous_text');
    expect(refused.open).toHaveLength(0);
  });

  it('[STR-3] ends with a connection that is closed for good', async () => {
    const { stream, open } = start(toTurn);
    const next = stream[Symbol.asyncIterator]().next();
    await settle();
    for (const { status } of open) status?.({ type: 'closed' });
    await expectRefused(next, 'closed');
  });

  it('[TRN-5] does not wait for a turn that followed an earlier message with the same key', async () => {
    const { stream, open } = start(toTurn, { isOld: true });
    const events = stream[Symbol.asyncIterator]();
    expect(await events.next()).toEqual({
      done: false,
      value: { type: 'done', reason: 'repeated' },
    });
    expect(open).toHaveLength(0);
  });

  it('sends for a caller without the scope read, and fails only to follow', async () => {
    const { stream } = start(toTurn, { mayRead: false });
    expect(await stream.routed).toEqual({ routed: 'turn' });
    await expectRefused(stream[Symbol.asyncIterator]().next(), 'forbidden');
  });
});
