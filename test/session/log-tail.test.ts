/**
 * The end of a log. A bug would look like a page that opens slower the longer its session is, or like an event that is
 * missing between the end that was sent first and what follows.
 */
import { expect, it } from 'vitest';
import { append, askApproval } from '../support/asks.ts';
import { person } from '../support/callers.ts';
import { countBytes } from '../../src/protocol/bytes.ts';
import { readEvents } from '../../src/session/queries.ts';
import { startedSession } from '../support/session-storage.ts';
import type { SessionWorld } from '../support/session-world.ts';

const LAST = 200;

async function worldOf(events: number): Promise<SessionWorld> {
  const world = await startedSession();
  const note = (index: number) => ({
    type: 'assistant_text' as const,
    payload: { text: `Note ${String(index).padStart(8, '0')}` },
  });
  for (let done = 1; done < events; ) {
    const count = Math.min(1_000, events - done);
    const from = done;
    world.must(append(...Array.from({ length: count }, (_, index) => note(from + index))));
    done += count;
  }
  await world.quiet();
  return world;
}

function seqsOf(socket: ReturnType<SessionWorld['connect']>): number[] {
  return socket.frames.flatMap((frame) => (frame.events ?? []).map(({ seq }) => seq));
}

async function tailOf(world: SessionWorld) {
  const socket = world.connect({ after: -LAST });
  await world.quiet();
  return socket;
}

it('[WS-7] a reader of the last events gets as many bytes and frames of a long log as of a short one', async () => {
  const measured = [];
  for (const events of [1_000, 9_000, 95_000]) {
    const world = await worldOf(events);
    const socket = await tailOf(world);
    expect(seqsOf(socket)).toEqual(
      Array.from({ length: LAST }, (_, index) => events - LAST + index + 1),
    );
    const bytes = socket.frames.reduce((sum, frame) => sum + countBytes(JSON.stringify(frame)), 0);
    measured.push({ frames: socket.frames.length, bytes });
  }
  const [short, , long] = measured;
  expect(long?.frames).toBe(short?.frames);
  // The numbers of the events have two more digits.
  expect(Math.abs((long?.bytes ?? 0) - (short?.bytes ?? 0))).toBeLessThan(LAST * 4);
  expect(long?.bytes).toBeLessThan(64 * 1_024);
});

it('[WS-7] live events follow the last ones without a gap', async () => {
  const world = await worldOf(500);
  const socket = world.connect({ after: -LAST });
  world.must(askApproval());
  await world.quiet();
  expect(seqsOf(socket)).toEqual(Array.from({ length: LAST + 2 }, (_, index) => 301 + index));
});

it('[WS-7] a log that is shorter is sent from its beginning', async () => {
  const world = await worldOf(50);
  expect(seqsOf(await tailOf(world))).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

it('[WS-7, LOG-6] a page of the last events ends at the head', async () => {
  const world = await worldOf(300);
  const read = readEvents(world.session, -20, 100, person());
  const page = JSON.parse(read.ok ? read.value : '{}') as { events: { seq: number }[] };
  expect(page).toMatchObject({ head: 300, more: false });
  expect(page.events.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 20 }, (_, index) => 281 + index),
  );
});
