/** The shape of a command. A bug would look like an ignored typo in a body, or a deadline that is no time at all. */
import { describe, expect, it } from 'vitest';
import {
  AppendEvents,
  CancelOne,
  DecideBatch,
  SendMessage,
} from '../../src/protocol/schema/command.ts';
import { OpenCommonSchema } from '../../src/protocol/schema/interaction.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { CreateSession, UpdateSession } from '../../src/protocol/schema/session.ts';
import { Settings } from '../../src/protocol/schema/workspace.ts';

const OPEN = { toolName: 'Bash', kind: 'approval' };
const text = { type: 'assistant_text', payload: { text: 'a' } };
const decision = { interactionId: 'call-1~1', answer: { decision: 'deny' } };

describe('a deadline', () => {
  const year = 365 * 24 * 3600;

  it.each([1, 2, 600, year, null])('[TIME-1] may be %s', (timeoutSeconds) => {
    expect(OpenCommonSchema.safeParse({ ...OPEN, timeoutSeconds }).success).toBe(true);
    expect(CreateSession.safeParse({ timeouts: { approval: timeoutSeconds } }).success).toBe(true);
  });

  it.each([0, -1, 0.999, 1.5, 1.9999, 600.1, NaN, Infinity, year + 1, '600', true])(
    '[TIME-1] may not be %s',
    (timeoutSeconds) => {
      expect(OpenCommonSchema.safeParse({ ...OPEN, timeoutSeconds }).success).toBe(false);
      expect(CreateSession.safeParse({ timeouts: { approval: timeoutSeconds } }).success).toBe(
        false,
      );
      expect(UpdateSession.safeParse({ timeouts: { approval: timeoutSeconds } }).success).toBe(
        false,
      );
    },
  );

  it.each(['remindAfter', 'escalateAfter'])('[TIME-5] %s is a time too, and never none', (name) => {
    expect(OpenCommonSchema.safeParse({ ...OPEN, [name]: 30 }).success).toBe(true);
    for (const seconds of [0, -1, 1.5, 30.001, NaN, null, year + 1])
      expect(OpenCommonSchema.safeParse({ ...OPEN, [name]: seconds }).success).toBe(false);
  });

  it.each(['deny', 'keep', { answer: {} }])('[TIME-6] onExpire may be %j', (onExpire) => {
    expect(OpenCommonSchema.safeParse({ ...OPEN, onExpire }).success).toBe(true);
  });

  it.each(['approve', '', null, {}, { answer: 'Red' }, { answer: [] }, { answer: {}, more: 1 }])(
    '[TIME-6, INT-10] onExpire may not be %j',
    (onExpire) => {
      expect(OpenCommonSchema.safeParse({ ...OPEN, onExpire }).success).toBe(false);
    },
  );
});

describe('a body', () => {
  it.each([
    ['an opening', OpenCommonSchema, OPEN],
    ['a message', SendMessage, { text: 'Hello' }],
    ['a cancel', CancelOne, { reason: 'No' }],
    ['a session', CreateSession, { title: 'New' }],
    ['a change', UpdateSession, { title: 'New' }],
    ['a batch of events', AppendEvents, { events: [text] }],
    ['a batch of decisions', DecideBatch, { decisions: [decision] }],
  ])('[LIM-1] %s refuses an unknown field', (_what, schema, body) => {
    expect(schema.safeParse(body).success).toBe(true);
    expect(schema.safeParse({ ...body, extra: 1 }).success).toBe(false);
  });

  it('[LIM-1] a body cannot name the person who answers, or the channel: the credential does', () => {
    for (const forged of [{ via: 'web' }, { settledBy: {} }, { subject: 'ada' }]) {
      const answer = { decisions: [{ ...decision, ...forged }] };
      expect(DecideBatch.safeParse(answer).success).toBe(false);
      expect(SendMessage.safeParse({ text: 'yes', ...forged }).success).toBe(false);
    }
  });

  it('[LIM-1] an update changes at least one field', () => {
    expect(UpdateSession.safeParse({}).success).toBe(false);
  });

  it('[AUTH-6] a mode is one of four', () => {
    for (const permissionMode of ['default', 'acceptEdits', 'plan', 'bypassPermissions'])
      expect(CreateSession.safeParse({ permissionMode }).success).toBe(true);
    for (const permissionMode of ['dontAsk', '', null])
      expect(CreateSession.safeParse({ permissionMode }).success).toBe(false);
  });
});

describe('the size of a request', () => {
  it('[LOG-7] a batch of events holds at least one', () => {
    expect(AppendEvents.safeParse({ events: [] }).success).toBe(false);
    expect(AppendEvents.safeParse({ events: [text] }).success).toBe(true);
  });

  it('[APR-4] a batch of decisions names each by interaction or by tool call, never both', () => {
    const batch = (one: object) => DecideBatch.safeParse({ decisions: [one] }).success;
    const { answer } = decision;
    expect(batch({ toolCallId: 'call-1', answer })).toBe(true);
    expect(batch({ interactionId: 'call-1~1', toolCallId: 'call-1', answer })).toBe(false);
    expect(batch({ answer })).toBe(false);
    expect(DecideBatch.safeParse({ decisions: [] }).success).toBe(false);
  });

  it('[LIM-1] a message is neither empty nor too long', () => {
    const says = (text: string) => SendMessage.safeParse({ text }).success;
    expect(says('x'.repeat(LIMITS.textChars))).toBe(true);
    expect(says('x'.repeat(LIMITS.textChars + 1))).toBe(false);
    expect(says('\n \t')).toBe(false);
  });
});

it('[LIM-5] names at most 16 kinds in timeouts', () => {
  const timeouts = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`k${String.fromCodePoint(97 + index)}`, 60]),
    );
  for (const schema of [CreateSession, UpdateSession, Settings]) {
    expect(schema.safeParse({ timeouts: timeouts(LIMITS.timeoutKinds) }).success).toBe(true);
    expect(schema.safeParse({ timeouts: timeouts(LIMITS.timeoutKinds + 1) }).success).toBe(false);
  }
});
