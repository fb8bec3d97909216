/**
 * Presence through hibernation. A bug would look like a session that stays in memory because somebody looks, a row
 * written for it, or a stranger who is shown it.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { costOf } from './support/costs.ts';
import { keyOfWorkspace, minted } from './support/credentials.ts';
import { AT_ONCE_MS, alarmOf, attachments, countWakes, evict } from './support/objects.ts';
import { call } from './support/api.ts';
import { createSession, sessionStub } from './support/session.ts';
import { connect, type TestSocket, upgrade } from './support/socket.ts';
import { until } from './support/until.ts';

afterEach(() => void vi.restoreAllMocks());

const LOOK = { type: 'look', id: 'look', looking: true } as const;

async function looking(session: Awaited<ReturnType<typeof createSession>>, subject: string) {
  const { token, id } = await minted(undefined, ['read', 'answer'], { subject });
  const socket = await connect(session, { token });
  await socket.next('welcome');
  expect(await socket.ask(LOOK)).toMatchObject({ ok: true });
  return { socket, token, id };
}

async function shownTo(socket: TestSocket): Promise<string[]> {
  return (await socket.next('presence')).people.map(({ subject }) => subject);
}

describe('people who look at a session', () => {
  it('[PRES-2, PRES-1] let it leave memory, cost no row and no alarm, and are known when it wakes', async () => {
    const session = await createSession();
    let ann: Awaited<ReturnType<typeof looking>> | undefined;
    const cost = await costOf(session, async () => {
      ann = await looking(session, 'ann@example.com');
    });
    expect(cost).toMatchObject({ session: 0, sessionAlarm: 0 });
    const alarm = await alarmOf(session);
    expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);

    const ben = await looking(session, 'ben@example.com');
    expect(await shownTo(ben.socket)).toEqual(['ann@example.com', 'ben@example.com']);
    expect(await shownTo(ann?.socket as TestSocket)).toEqual([
      'ann@example.com',
      'ben@example.com',
    ]);
    expect(await alarmOf(session)).toBe(alarm);
    expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);

    // Nobody looks elsewhere, pings, or leaves: nothing wakes it.
    const wakes = countWakes(session);
    ben.socket.send('ping');
    while ((await ben.socket.nextText()) !== 'pong');
    expect(wakes()).toBe(0);

    ann?.socket.close();
    expect(await shownTo(ben.socket)).toEqual(['ben@example.com']);
    expect(wakes()).toBe(1);
    ben.socket.close();
  });

  it('[PRES-3] are gone with their credential, and once when they come again', async () => {
    const session = await createSession();
    const ann = await looking(session, 'ann@example.com');
    const ben = await looking(session, 'ben@example.com');
    expect(await shownTo(ben.socket)).toHaveLength(2);
    const again = await connect(session, { token: ann.token });
    await again.next('welcome');
    await again.ask(LOOK);
    expect(await shownTo(again)).toEqual(['ann@example.com', 'ben@example.com']);
    await call('DELETE', `/v1/tokens/${ann.id}`);
    await ann.socket.closed;
    await again.closed;
    expect(await shownTo(ben.socket)).toEqual(['ben@example.com']);
    await until(async () => (await attachments(session)).length === 1);
    ben.socket.close();
  });

  it('[PRES-1, AUTH-2] are unknown to a stranger, to another workspace and to another session', async () => {
    const [session, other] = [await createSession(), await createSession()];
    const ann = await looking(session, 'ann@example.com');
    const ben = await looking(session, 'ben@example.com');
    await shownTo(ben.socket);
    const foreign = await keyOfWorkspace('elsewhere');
    for (const token of ['hp_not.a_token', foreign]) {
      const { webSocket } = await upgrade(session, { token });
      const frames: string[] = [];
      webSocket?.addEventListener('message', ({ data }) => void frames.push(String(data)));
      const closed = new Promise((resolve) => webSocket?.addEventListener('close', resolve));
      webSocket?.accept();
      webSocket?.send(JSON.stringify(LOOK));
      await closed;
      expect(frames.filter((text) => !text.startsWith('{"type":"error"'))).toEqual([]);
    }
    const cem = await connect(other, { token: ann.token });
    await cem.next('welcome');
    await cem.ask(LOOK);
    cem.send('ping');
    expect(await cem.nextText()).toBe('pong');
    for (const socket of [ann.socket, ben.socket, cem]) socket.close();
  });
});
