/**
 * What a device shows, and on what one press may decide.
 *
 * A bug here looks like a person who approves a command by a press on a locked phone that shows half of it.
 */
import { expect, it } from 'vitest';
import { pushedEnd, pushedRequest } from '../../../src/core/delivery/push-content.ts';
import type { Announcement } from '../../../src/protocol/schema/announcement.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { requested } from '../../support/target-world.ts';

type Requested = Extract<Announcement, { type: 'interaction.requested' }>;

const BASE = requested('s', 1).announcement as Requested;
const ALL = { mayRead: true, mayAnswer: true };

const shown = (over: Partial<Requested>, rights = ALL) => {
  const announcement = { ...BASE, ...over };
  return pushedRequest({ sessionId: 's', announcement, requested: announcement }, rights);
};
const edit = (input: JsonObject, more: JsonObject = {}): Partial<Requested> => ({
  toolName: 'Edit',
  request: { input, ...more },
});

it('[PUSH-1] lets one press decide on a whole input of a tool that reads or edits', () => {
  expect(shown(edit({ file_path: 'a.ts', old: 'x', new: 'y' }))).toEqual({
    type: 'request',
    sessionId: 's',
    interactionId: BASE.interactionId,
    title: 'Edit asks for approval',
    body: 'file_path: a.ts\nold: x\nnew: y',
    digest: BASE.inputDigest,
    onePress: true,
  });
});

it.each<[string, Partial<Requested>]>([
  ['a shell', { toolName: 'Bash', request: { input: { command: 'ls' } } }],
  [
    'a tool that the gate does not know',
    { toolName: 'Deploy', request: { input: { to: 'prod' } } },
  ],
  ['a name that only looks like a reader', { toolName: 'read', request: { input: { p: 'x' } } }],
  ['a long input', edit({ file_path: 'a'.repeat(120) })],
  ['many lines', edit({ a: 1, b: 2, c: 3, d: 4 })],
  ['a text of several lines', edit({ a: 'x\ny' })],
  ['a character that cannot be seen', edit({ a: 'x\u202Ey' })],
  ['a request that is not announced', { toolName: 'Edit', request: null }],
  ['a changed request', { ...edit({ a: 'x' }), replaces: 'call_0~1' }],
  ['an offer for the session alone', edit({ a: 'x' }, { offers: ['session'] })],
  [
    'choices of the agent',
    edit({ a: 'x' }, { choices: [{ id: 'a', label: 'A', decision: 'approve' }] }),
  ],
  ['a question', { toolName: 'Edit', kind: 'question', request: { input: { a: 'x' } } }],
  ['a plan', { kind: 'plan_review', request: { plan: 'Do it' } }],
  ['a kind of another version', { toolName: 'Read', kind: 'vote', request: { input: { a: 'x' } } }],
])('[PUSH-1] opens the card for %s', (_, over) => {
  expect(shown(over).onePress).toBe(false);
});

it('[PUSH-1] opens the card where the person may not answer', () => {
  expect(shown(edit({ a: 'x' }), { mayRead: true, mayAnswer: false }).onePress).toBe(false);
});

it('[PUSH-1] shows nothing of a request to a person who may not read', () => {
  const message = shown(edit({ secret: 'x' }), { mayRead: false, mayAnswer: true });
  expect(message).toMatchObject({
    title: 'An agent is waiting for you',
    body: '',
    onePress: false,
  });
  expect(JSON.stringify(message)).not.toMatch(/Edit|secret/);
});

it.each<[string, Partial<Requested>, string, string]>([
  [
    'a command',
    { request: { input: { command: 'make\nall' } } },
    'Bash asks for approval',
    'command: make',
  ],
  [
    'a question',
    { kind: 'question', toolName: 'Ask', request: { questions: [{ question: 'Which?' }] } },
    'Ask asks a question',
    'Which?',
  ],
  [
    'a plan',
    { kind: 'plan_review', request: { plan: '# First\nthen' } },
    'A plan waits for your review',
    '# First',
  ],
  [
    'a form',
    { kind: 'form', toolName: 'Ask', request: { message: 'Where to?' } },
    'Ask asks for details',
    'Where to?',
  ],
  ['another kind', { kind: 'vote', toolName: 'Ask', request: {} }, 'Ask is waiting for you', ''],
  ['nothing', { request: null }, 'Bash asks for approval', ''],
])('shows the first line of %s', (_, over, title, body) => {
  expect(shown(over)).toMatchObject({ title, body });
});

it('escapes what could deceive on a locked phone', () => {
  const { title, body } = shown({ toolName: 'Re\u202Ead', request: { input: { a: '\u200Bx' } } });
  expect(title).toBe(String.raw`Re\u202Ead asks for approval`);
  expect(body).toBe(String.raw`a: \u200Bx`);
});

it('[PUSH-1] says that a reminder is one, without a request too', () => {
  const reminder = { ...BASE, type: 'interaction.reminder' } as unknown as Extract<
    Announcement,
    { type: 'interaction.reminder' }
  >;
  const message = pushedRequest(
    { sessionId: 's', announcement: reminder, requested: undefined },
    ALL,
  );
  expect(message).toMatchObject({
    title: 'Still waiting: Bash asks for approval',
    body: '',
    onePress: false,
  });
});

it('[PUSH-1] fits into what a push service takes, whatever an agent writes', () => {
  for (const wide of ['🙂', '"', '\u202E', '中', '\u{E0041}']) {
    const message = shown({
      toolName: wide.repeat(128).slice(0, 128),
      interactionId: `${'x'.repeat(128)}~1`,
      request: { input: { [wide.repeat(500)]: wide.repeat(5_000) } },
    });
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(3_072);
    expect(message.title.isWellFormed() && message.body.isWellFormed()).toBe(true);
  }
});

it('says how a request ended, and by whom', () => {
  const resolved = {
    ...BASE,
    type: 'interaction.resolved',
    outcome: 'approved',
    settledBy: { subject: 'bo', via: 'web' },
  } as unknown as Extract<Announcement, { type: 'interaction.resolved' }>;
  const title = (over: object, mayRead = true) =>
    pushedEnd('s', { ...resolved, ...over }, { mayRead }).title;
  expect(title({})).toBe('Approved by bo');
  expect(title({}, false)).toBe('Approved');
  expect(title({ outcome: 'expired', settledBy: { subject: 'system', via: 'system' } })).toBe(
    'Expired',
  );
  expect(title({ outcome: 'superseded' })).toBe('The agent changed its request');
});

it('[LNK-3, PUSH-1] names the message of a link, never its address, and takes no press', () => {
  const request = { url: 'https://evil.example/x', message: 'Sign in to Drive\nnow' };
  const push = shown({ kind: 'link', toolName: 'mcp__drive', request });
  expect(push).toMatchObject({
    title: 'mcp__drive asks you to open a link',
    body: 'Sign in to Drive',
    onePress: false,
  });
  expect(JSON.stringify(push)).not.toContain('evil.example');
});
