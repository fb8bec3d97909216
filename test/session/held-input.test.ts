/**
 * Storing an input that is too large for its record. A bug here would lose the input that a person is asked about, keep it
 * after its session was deleted, or fill a disk.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { readInputPart } from '../../src/session/queries.ts';
import { canonicalize } from '../../src/protocol/canonical-json.ts';
import { askApproval } from '../support/asks.ts';
import { memoryStorage, startedSession } from '../support/session-storage.ts';
import { overrideStore } from '../support/override-store.ts';
import { SessionWorld } from '../support/session-world.ts';

const MIDDLE = 'ä\u{1f600}"\\\u0001';
const large = (chars: number): JsonObject => ({ content: MIDDLE.repeat(chars / 5) });
const askLarge = (toolCallId: string, chars = 2_000_000) => ({
  ...askApproval({ toolCallId }, { input: large(chars) }),
  mayHold: true,
});

async function inMemory(): Promise<SessionWorld> {
  const world = new SessionWorld(memoryStorage());
  await world.ask({ type: 'session.create' });
  return world;
}

/** All parts. */
function whole(world: SessionWorld, interactionId: string): string {
  let text = '';
  for (let part = 0; ; part += 1) {
    const read = readInputPart(world.session, interactionId, part);
    if (!read.ok) throw new Error(`${read.code} at part ${part}`);
    text += read.value.text;
    if (read.value.isLast) return text;
  }
}

describe.each([
  ['SQLite', startedSession],
  ['memory', inMemory],
])('[INT-17] in %s', (_, begin) => {
  it('the input is read back as its canonical text, part by part', async () => {
    const world = await begin();
    world.must(askLarge('call-1'));
    expect(whole(world, 'call-1~1')).toBe(canonicalize(large(2_000_000)));
    expect(world.store.heldInputs.part('call-1~1', 1)).toBeDefined();
    const { code } = readInputPart(world.session, 'call-1~2', 0) as { code?: string };
    expect(code).toBe('not_found');
  });

  it('a failed write leaves no part of it', async () => {
    const world = await begin();
    world.beforeCommit = () => {
      throw new Error('disk full');
    };
    expect(world.handle(askLarge('call-1'))).toMatchObject({ ok: false, code: 'write_failed' });
    expect(world.store.heldInputs.bytes()).toBe(0);
    world.beforeCommit = () => undefined;
    world.must(askLarge('call-1'));
    expect(whole(world, 'call-1~1')).toBe(canonicalize(large(2_000_000)));
  });

  it('a repeat stores nothing more, and deleting the session erases it', async () => {
    const world = await begin();
    world.must(askLarge('call-1'));
    const bytes = world.store.heldInputs.bytes();
    world.must(askLarge('call-1'));
    expect(world.store.heldInputs.bytes()).toBe(bytes);
    await world.ask({ type: 'session.delete' });
    await world.quiet();
    expect(world.store.heldInputs.bytes()).toBe(0);
    expect(readInputPart(world.session, 'call-1~1', 0).ok).toBe(false);
  });
});

it('[INT-17] is there after the session was evicted', async () => {
  const world = await startedSession();
  world.must(askLarge('call-1'));
  world.restart();
  expect(whole(world, 'call-1~1')).toBe(canonicalize(large(2_000_000)));
});

it('[LIM-2] one too many is refused with the name of the limit, and stores nothing', async () => {
  const world = await startedSession();
  const { store } = world;
  const { heldInputs } = store;
  const bytes = LIMITS.wholeInputsBytes - 1_000_000;
  const full = { part: heldInputs.part.bind(heldInputs), bytes: () => bytes };
  Object.assign(world.session.ports, { store: overrideStore(store, { heldInputs: full }) });
  expect(world.handle(askLarge('call-1', 2_000_000))).toMatchObject({
    ok: false,
    code: 'limit_reached',
    details: { limit: 'wholeInputsBytes', max: LIMITS.wholeInputsBytes },
  });
  expect(heldInputs.bytes()).toBe(0);
  expect(world.handle(askLarge('call-1', 300_000)).ok).toBe(true);
});
