/**
 * Who looks at a session. A bug would look like a name that somebody else chose, a person who stays after leaving, a
 * crowd whose every member is sent every change, or a write for something that nobody keeps.
 */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/protocol/caller.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { Presence } from '../../src/protocol/schema/frame.ts';
import { admin, agent, person, reader } from '../support/callers.ts';
import type { FakeSocket } from '../support/fake-socket.ts';
import { sessionAfter, startedSession } from '../support/session-storage.ts';
import type { SessionWorld } from '../support/session-world.ts';
import { askApproval } from '../support/asks.ts';

const LOOK = { type: 'look', id: 'f', looking: true };

function presencesOf(socket: FakeSocket): Presence[] {
  return socket.frames
    .filter(({ type }) => type === 'presence')
    .map((frame) => {
      const { people, more } = frame as unknown as Presence;
      return { people, more };
    });
}

function namesOf(socket: FakeSocket): string[] | undefined {
  return presencesOf(socket)
    .at(-1)
    ?.people.map(({ subject }) => subject);
}

async function looking(world: SessionWorld, caller: Caller, more: object = {}) {
  const socket = world.connect({ caller });
  await world.receive(socket, { ...LOOK, ...more });
  return socket;
}

describe('who looks at a session', () => {
  it('[PRES-1] is shown to those who look, and to nobody else', async () => {
    const world = await sessionAfter(askApproval());
    const watching = world.connect({ caller: person('cem') });
    const held = world.connect({ caller: person('dee'), held: true });
    const waiting = world.waitFor('call-1~1');
    const ann = await looking(world, person('ann'), { interactionId: 'call-1~1' });
    const ben = await looking(world, reader('ben'));
    const both = {
      people: [
        { subject: 'ann', verified: true, interactionId: 'call-1~1' },
        { subject: 'ben', verified: true },
      ],
      more: 0,
    };
    expect(presencesOf(ann)).toEqual([both]);
    expect(presencesOf(ben)).toEqual([both]);
    for (const other of [watching, held, waiting]) expect(presencesOf(other)).toEqual([]);
  });

  it('[PRES-2] is nothing that a person who looks alone is sent, and nothing that is written', async () => {
    const world = await startedSession();
    await world.quiet();
    const [before, armedAt] = [world.trace.length, world.alarm.armedAt];
    const ann = await looking(world, person('ann'));
    await world.receive(ann, { ...LOOK, interactionId: 'call-1~1' });
    await looking(world, person('ann'));
    expect(ann.frames.map(({ type }) => type)).toEqual(['welcome', 'events', 'result', 'result']);
    expect(world.trace.slice(before).filter((done) => done !== 'send')).toEqual([]);
    expect(world.later.size).toBe(0);
    expect(world.alarm.armedAt).toBe(armedAt);
  });

  it('[PRES-1] has the name of the credential: a frame brings none', async () => {
    const world = await startedSession();
    const ann = await looking(world, person('ann'));
    const eve = world.connect({ caller: person('eve') });
    for (const forged of [{ subject: 'ben' }, { people: [] }, { verified: true }]) {
      await world.receive(eve, { ...LOOK, ...forged });
      expect(eve.last).toMatchObject({ type: 'result', ok: false });
    }
    expect(presencesOf(ann)).toEqual([]);
  });

  it('[PRES-1] tells a person from one who only uses the name', async () => {
    const world = await startedSession();
    const forger: Caller = { ...person('ann'), credential: 'tok_1', key: 'key_1', root: 'key_1' };
    await looking(world, person('ann'));
    world.now += 1;
    const second = await looking(world, forger);
    expect(presencesOf(second)[0]?.people).toEqual([
      { subject: 'ann', verified: true },
      { subject: 'ann', verified: false },
    ]);
  });

  it('[PRES-1] is never an agent; an administrator is a person', async () => {
    const world = await startedSession();
    const socket = await looking(world, agent());
    expect(socket.last).toMatchObject({ type: 'result', ok: false, error: { code: 'forbidden' } });
    const ann = await looking(world, person('ann'));
    await looking(world, admin('olga'));
    expect(namesOf(ann)).toEqual(['ann', 'olga']);
    expect(presencesOf(socket)).toEqual([]);
  });

  it('[PRES-3] is one person with several tabs, at what the last change says', async () => {
    const world = await startedSession();
    const [first, ben] = [await looking(world, person('ann')), await looking(world, person('ben'))];
    const second = await looking(world, person('ann'), { interactionId: 'a~1' });
    expect(presencesOf(ben).at(-1)?.people).toEqual([
      { subject: 'ann', verified: true, interactionId: 'a~1' },
      { subject: 'ben', verified: true },
    ]);
    world.now += 1;
    await world.receive(first, { ...LOOK, interactionId: 'b~1' });
    expect(presencesOf(ben).at(-1)?.people[0]).toMatchObject({ interactionId: 'b~1' });
    world.drop(first);
    expect(presencesOf(ben).at(-1)?.people[0]).toMatchObject({ interactionId: 'a~1' });
    world.drop(second);
    expect(namesOf(ben)).toEqual(['ben']);
  });

  it('[PRES-3] ends with `looking: false`, which then receives nothing more', async () => {
    const world = await startedSession();
    const [ann, ben] = [await looking(world, person('ann')), await looking(world, person('ben'))];
    await world.receive(ann, { ...LOOK, looking: false });
    expect(namesOf(ben)).toEqual(['ben']);
    const before = presencesOf(ann).length;
    await looking(world, person('cem'));
    expect(presencesOf(ann)).toHaveLength(before);
    expect(namesOf(ben)).toEqual(['ben', 'cem']);
  });

  it.each(['revoked', 'expired'])('[PRES-3] ends when the credential is %s', async (how) => {
    const world = await startedSession();
    const ann = world.connect({ caller: person('ann'), expiresAt: world.now + 1_000 });
    await world.receive(ann, LOOK);
    const ben = await looking(world, person('ben'));
    expect(namesOf(ben)).toEqual(['ann', 'ben']);
    if (how === 'revoked') world.session.subscribers.revoke('cred-ann');
    else world.now += 1_000;
    const cem = await looking(world, person('cem'));
    expect(namesOf(ben)).toEqual(['ben', 'cem']);
    expect(namesOf(cem)).toEqual(['ben', 'cem']);
  });

  it('[PRES-2, PRES-3] is known after an eviction, and so is who leaves then', async () => {
    const world = await startedSession();
    const [ann, ben] = [await looking(world, person('ann')), await looking(world, person('ben'))];
    await world.quiet();
    world.evict();
    const cem = await looking(world, person('cem'));
    expect(namesOf(cem)).toEqual(['ann', 'ben', 'cem']);
    await world.quiet();
    world.evict();
    world.drop(ann);
    expect(namesOf(ben)).toEqual(['ben', 'cem']);
  });

  it('[PRES-3] does not keep the others from it when one connection is gone unnoticed', async () => {
    const world = await startedSession();
    const [ann, ben] = [await looking(world, person('ann')), await looking(world, person('ben'))];
    ann.gone = true;
    await looking(world, person('cem'));
    expect(namesOf(ben)).toEqual(['ann', 'ben', 'cem']);
    world.drop(ann);
    expect(namesOf(ben)).toEqual(['ben', 'cem']);
  });
});

describe('a crowd', () => {
  const CROWD = 500;

  it('[PRES-4] of 500 costs some thousands of frames to come and to leave, and the list stays short', async () => {
    const world = await startedSession();
    const sockets: FakeSocket[] = [];
    for (let count = 0; count < CROWD; count += 1) {
      world.now += 1;
      sockets.push(await looking(world, person(`p-${String(count).padStart(3, '0')}`)));
    }
    const sent = () => sockets.reduce((sum, one) => sum + presencesOf(one).length, 0);
    const coming = sent();
    expect(coming).toBeGreaterThan(CROWD);
    expect(coming).toBeLessThan(CROWD * 15);
    const last = presencesOf(sockets.at(-1) as FakeSocket).at(-1);
    expect(last?.people).toHaveLength(LIMITS.presentPeople);
    expect(last?.more).toBe(CROWD - LIMITS.presentPeople);
    for (const [at, socket] of sockets.entries()) {
      const seen = presencesOf(socket).at(-1);
      const count = (seen?.people.length ?? 0) + (seen?.more ?? 0);
      // The first is alone, until the second comes.
      expect(count, `socket ${at}`).toBeGreaterThan((CROWD * 8) / 9 - 1);
    }
    const texts = sockets.flatMap((socket) => socket.texts);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(2_000);
    for (const socket of sockets.slice(0, -1)) world.drop(socket);
    expect(sent() - coming).toBeLessThan(CROWD * 15);
    expect(namesOf(sockets.at(-1) as FakeSocket)).toEqual(['p-499']);
  });

  it('[PRES-4] that loses its credential at once is gone with one frame', async () => {
    const world = await startedSession();
    const ann = await looking(world, person('ann'));
    for (let count = 0; count < LIMITS.rootSockets; count += 1) {
      const caller = { ...person(`p-${count}`), credential: 'cred-shared' };
      await looking(world, caller);
    }
    const before = presencesOf(ann).length;
    world.session.subscribers.revoke('cred-shared');
    expect(presencesOf(ann)).toHaveLength(before + 1);
    expect(namesOf(ann)).toEqual(['ann']);
  });

  it('[PRES-4] of up to 12 is sent each change', async () => {
    const world = await startedSession();
    const ann = await looking(world, person('p-00'));
    for (let count = 1; count < LIMITS.presentPeople; count += 1) {
      const socket = await looking(world, person(`p-${String(count).padStart(2, '0')}`));
      await world.receive(socket, { ...LOOK, interactionId: `call-${count}~1` });
      expect(presencesOf(ann).at(-1)?.people).toHaveLength(count + 1);
      expect(presencesOf(ann).at(-1)?.people.at(-1)).toMatchObject({
        interactionId: `call-${count}~1`,
      });
    }
  });
});
