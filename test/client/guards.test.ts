/**
 * The guards of the client against the schemas of the protocol: every frame of a server passes, and a frame
 * that would break the client does not. A bug would be a connection that closes over a valid frame, or a page
 * that breaks over an invalid frame.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSessionFrame } from '../../src/client/connection/frames.ts';
import { PAYLOADS, type EventType } from '../../src/protocol/schema/event.ts';
import { ServerFrame } from '../../src/protocol/schema/frame.ts';
import { PROTOCOL } from '../../src/protocol/frames.ts';
import { CURSOR, snapshot } from '../support/client/connection-cases.ts';
import { countFor } from '../support/run-length.ts';

const id = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,20}$/);
/** Part of a path, where dots alone name another resource. */
const cliSessionId = id.filter((text) => !/^\.{1,2}$/.test(text));
const iid = id.map((call) => `${call}~1`);
const text = fc.string({ maxLength: 30, unit: 'grapheme' });
const time = fc.nat(2_000_000_000_000);
const json = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});
const name = fc.stringMatching(/^[A-Za-z]{1,10}$/);
const by = fc.record({ subject: text, via: fc.constantFrom('web', 'api', 'text', 'timeout') });
const opener = fc.record({ credential: text, subject: text });
const about = { interactionId: iid, toolCallId: id, toolName: name, kind: fc.constant('approval') };
const asked = {
  ...about,
  presentation: fc.constantFrom('tool', 'questionnaire'),
  request: json,
  requestDigest: text,
  inputDigest: text,
  openedAt: time,
  openedBy: opener,
  expiresAt: fc.option(time),
  timeoutMs: fc.option(time),
  onExpire: fc.constantFrom('deny', 'keep'),
};

const PAYLOAD: Record<EventType, fc.Arbitrary<unknown>> = {
  session_started: fc.record({ permissionMode: fc.constant('default'), createdBy: opener }),
  session_updated: fc.record({ by }),
  conversation_compacted: fc.record({
    summary: fc.string(),
    to: fc.nat(),
    tokensBefore: fc.nat(),
    tokensAfter: fc.nat(),
    model: fc.string(),
    usage: fc.constant({
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    }),
  }),
  conversation_restored: fc.record({ compactedSeq: fc.nat(), by }),
  session_status: fc.record({ status: fc.constantFrom('retrying', 'deleted') }),
  turn_started: fc.record({}),
  turn_ended: fc.record({ reason: fc.constantFrom('completed', 'error') }),
  user_message: fc.record({ text, subject: text }),
  assistant_text: fc.record({ text }),
  thinking: fc.record({ text }),
  tool_call: fc.record({ toolName: name, input: json }),
  tool_result: fc.record({ output: fc.jsonValue(), isError: fc.boolean() }),
  interaction_pending: fc.record({
    toolCallId: id,
    toolName: name,
    pending: fc.boolean(),
    interactionId: iid,
  }),
  interaction_request: fc.record(asked),
  interaction_update: fc.record({ ...about, change: fc.constantFrom('step', 'overdue') }),
  interaction_response: fc.record({
    ...about,
    action: fc.constant('approve'),
    outcome: fc.constant('approved'),
    settledBy: by,
    settledAt: time,
    inputDigest: text,
  }),
  history_imported: fc.record({
    provider: fc.constantFrom('codex', 'claude-code'),
    cliSessionId,
    entries: fc.nat(),
    rev: fc.nat(),
  }),
  context_cleared: fc.record({ by }),
  error: fc.record({ message: text }),
};

const anEvent = fc.constantFrom(...(Object.keys(PAYLOADS) as EventType[])).chain((type) =>
  fc.record(
    {
      seq: fc.integer({ min: 1, max: 1e9 }),
      at: time,
      type: fc.constant(type),
      turnId: id,
      responseId: id,
      toolCallId: id,
      payload: PAYLOAD[type],
    },
    { requiredKeys: ['seq', 'at', 'type', 'payload'] },
  ),
);
const anInteraction = fc.record({
  ...asked,
  status: fc.constantFrom('open', 'settled'),
  outcome: fc.constantFrom(null, 'approved'),
  settledAt: fc.option(time),
  settledBy: fc.option(by),
  rev: fc.nat(),
});
const aSession = fc.record({
  id: id.map((one) => `s${one}`),
  workspace: text,
  title: fc.option(text),
  permissionMode: fc.constantFrom('default', 'plan'),
  timeouts: fc.constant({ approval: 5 }),
  metadata: fc.constant({ a: 1, b: null }),
  createdAt: time,
  turn: fc.option(fc.record({ turnId: id, startedAt: time }, { requiredKeys: ['startedAt'] })),
  queued: fc.array(fc.record({ id: text, text, subject: text, at: time }), { maxLength: 2 }),
  waitingForPerson: fc.boolean(),
  agent: fc.constantFrom(null, {}, { model: 'some' }),
  cliSessions: fc.array(
    fc.record({
      provider: fc.constant('codex'),
      cliSessionId,
      entries: fc.nat(),
      rev: fc.nat(),
    }),
    { maxLength: 2 },
  ),
});
const aRefusal = fc.record(
  { code: name, message: text, details: json },
  { requiredKeys: ['code', 'message'] },
);
const aFrame: fc.Arbitrary<object> = fc.oneof(
  fc.record({
    type: fc.constant('welcome'),
    protocol: fc.constant(PROTOCOL),
    session: aSession,
    head: fc.nat(),
    open: fc.array(anInteraction, { maxLength: 2 }),
    now: time,
  }),
  fc.record({ type: fc.constant('events'), events: fc.array(anEvent, { maxLength: 3 }) }),
  fc.record(
    { type: fc.constant('delta'), turnId: id, responseId: id, text },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record({ type: fc.constant('result'), id, ok: fc.boolean(), value: fc.jsonValue() }),
  fc.record({ type: fc.constant('error'), error: aRefusal }),
);

/** Copies, and puts something else somewhere into it. */
function spoil(frame: object, path: readonly number[], value: unknown): object {
  const copy = JSON.parse(JSON.stringify(frame)) as Record<string, unknown>;
  let place = copy;
  for (const step of path.slice(0, -1)) {
    const keys = Object.keys(place);
    const next = place[keys[step % Math.max(1, keys.length)] ?? ''];
    if (typeof next !== 'object' || next === null) break;
    place = next as Record<string, unknown>;
  }
  const keys = Object.keys(place);
  const key = keys[(path.at(-1) ?? 0) % Math.max(1, keys.length)];
  if (key !== undefined) place[key] = value;
  return copy;
}

describe('the guards of server frames', () => {
  it('[WS-1] accept every frame of the protocol', () => {
    fc.assert(
      fc.property(aFrame, (frame) => {
        const sent: unknown = JSON.parse(JSON.stringify(frame));
        expect(ServerFrame.safeParse(sent).error?.issues).toBeUndefined();
        expect(readSessionFrame(JSON.stringify(sent)).type).not.toBe('nonsense');
      }),
      { numRuns: countFor({ quick: 125, long: 500 }) },
    );
  });

  it('[WS-1] never fail, and accept whatever the schemas accept', () => {
    const path = fc.array(fc.nat(12), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(aFrame, path, fc.jsonValue({ maxDepth: 1 }), (frame, where, value) => {
        const sent = spoil(frame, where, value);
        const read = readSessionFrame(JSON.stringify(sent));
        // The schema takes any number for a head; a client counts up to it.
        const isCountable =
          !('head' in sent) || (Number.isSafeInteger(sent.head) && Number(sent.head) >= 0);
        const isValid = ServerFrame.safeParse(sent).success && isCountable;
        if (isValid) expect(read.type, JSON.stringify(sent)).not.toBe('nonsense');
      }),
      { numRuns: countFor({ quick: 500, long: 2_000 }) },
    );
  });

  it.each<[string, unknown]>([
    ['no JSON', '{"type":'],
    ['no text', new Uint8Array(3)],
    ['a list', []],
    ['nothing', null],
    ['no type', {}],
    ['a type that is none', { type: 7 }],
    ['events that are no list', { type: 'events', events: {} }],
    ['an event without a seq', { type: 'events', events: [{ at: 1, type: 'x', payload: {} }] }],
    ['a seq of 0', { type: 'events', events: [{ seq: 0, at: 1, type: 'x', payload: {} }] }],
    ['half a seq', { type: 'events', events: [{ seq: 1.5, at: 1, type: 'x', payload: {} }] }],
    [
      'a payload that is a list',
      { type: 'events', events: [{ seq: 1, at: 1, type: 'x', payload: [] }] },
    ],
    [
      'a turn id that is a number',
      { type: 'events', events: [{ seq: 1, at: 1, type: 'x', turnId: 1, payload: {} }] },
    ],
    ['a delta without text', { type: 'delta' }],
    ['an error without words', { type: 'error', error: {} }],
    ['a welcome without a protocol', { type: 'welcome', ...snapshot(CURSOR) }],
    [
      'a welcome without a session',
      { type: 'welcome', protocol: PROTOCOL, head: 1, open: [], now: 1 },
    ],
    [
      'a welcome with a head of text',
      { type: 'welcome', protocol: PROTOCOL, ...snapshot(1), head: '1' },
    ],
    [
      'an open that is no record',
      { type: 'welcome', protocol: PROTOCOL, ...snapshot(1), open: [{}] },
    ],
  ])('[WS-1] recognize %s as invalid', (_what, sent) => {
    const isRaw = typeof sent === 'string' || sent instanceof Uint8Array;
    expect(readSessionFrame(isRaw ? sent : JSON.stringify(sent))).toEqual({ type: 'nonsense' });
  });

  it('[WS-1] keep the fields that a newer server adds', () => {
    const novelty = { seq: 1, at: 1, type: 'novelty', payload: { deep: [1] }, more: true };
    const read = readSessionFrame(
      JSON.stringify({ type: 'events', events: [novelty], and: 'more' }),
    );
    expect(read).toEqual({ type: 'events', events: [novelty] });
    expect(readSessionFrame('{"type":"weather"}')).toEqual({ type: 'alive' });
    expect(readSessionFrame('{"type":"welcome","protocol":"holdpoint.v2"}')).toEqual({
      type: 'foreign',
      protocol: 'holdpoint.v2',
    });
    expect(readSessionFrame('pong')).toEqual({ type: 'alive' });
  });
});
