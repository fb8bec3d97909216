/**
 * The guard of inbox frames. A bug would look like a page that fails on the reply of a proxy, or a page that
 * calls a newer server's frame nonsense and hangs up.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readInboxFrame } from '../../src/client/connection/inbox-frames.ts';
import { PROTOCOL } from '../../src/protocol/frames.ts';
import { InboxFrame } from '../../src/protocol/schema/frame.ts';

const text = fc.string({ minLength: 1, maxLength: 8 });
const time = fc.nat();
const id = text.map((name) => name.replace(/[^a-z]/g, 'x'));
const entry = fc.record({
  sessionId: id,
  sessionTitle: fc.option(text),
  interactionId: id.map((name) => `${name}~1`),
  toolCallId: id,
  toolName: text,
  kind: fc.constantFrom('approval', 'weather'),
  presentation: fc.constantFrom('tool', 'questionnaire'),
  inputDigest: text,
  openedAt: time,
  openedBy: fc.record({ credential: text, subject: text }),
  expiresAt: fc.option(time),
  request: fc.option(fc.constant({ input: { command: 'ls' } })),
});
const frame = fc.oneof(
  fc.record(
    {
      type: fc.constant('inbox'),
      protocol: fc.constant(PROTOCOL),
      interactions: fc.array(entry, { maxLength: 3 }),
      next: text,
      total: time,
      now: time,
    },
    { requiredKeys: ['type', 'protocol', 'interactions', 'total', 'now'] },
  ),
  fc.record({
    type: fc.constant('inbox_changed'),
    sessionId: id,
    sessionTitle: fc.option(text),
    upserts: fc.array(entry, { maxLength: 3 }),
    removed: fc.array(id.map((name) => `${name}~2`)),
    total: time,
    now: time,
  }),
);

it('[INBOX-2] accepts every frame of a server, and delivers it unchanged', () => {
  fc.assert(
    fc.property(frame, (sent) => {
      expect(InboxFrame.safeParse(sent).error?.issues).toBeUndefined();
      const read = readInboxFrame(JSON.stringify(sent));
      const { type: _type, protocol: _protocol, ...said } = sent as Record<string, unknown>;
      if (read.type === 'welcome') expect(read.snapshot).toEqual({ head: 0, page: said });
      else expect(read).toEqual({ type: 'delta', delta: said });
    }),
  );
});

it('[INBOX-2] reports a frame that no server sends as invalid', () => {
  const page = { type: 'inbox', protocol: PROTOCOL, interactions: [], total: 0, now: 1 };
  for (const bad of [
    'no json',
    '[]',
    '{}',
    { ...page, interactions: [{}] },
    { ...page, total: 'many' },
    { ...page, protocol: 7 },
    { type: 'inbox_changed' },
    { type: 'error', error: 'bad' },
  ]) {
    const sent = typeof bad === 'string' ? bad : JSON.stringify(bad);
    expect(readInboxFrame(sent), sent).toEqual({ type: 'nonsense' });
  }
});

it('[INBOX-2] distinguishes pongs, refusals, other versions and frames of newer servers', () => {
  const said = (value: unknown) => readInboxFrame(JSON.stringify(value));
  expect(readInboxFrame('pong')).toEqual({ type: 'alive' });
  expect(said({ type: 'weather' })).toEqual({ type: 'alive' });
  expect(said({ type: 'inbox', protocol: 'holdpoint.v2' })).toEqual({
    type: 'foreign',
    protocol: 'holdpoint.v2',
  });
  const refusal = { code: 'forbidden', message: 'No' };
  expect(said({ type: 'error', error: refusal })).toEqual({ type: 'refusal', refusal });
});
