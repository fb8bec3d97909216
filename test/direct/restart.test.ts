/**
 * A folder outlives its process. A bug here would lose an answer somebody gave, or leave a deadline
 * that nobody runs because nobody looks at its session any more.
 */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DirectTransport } from '../../src/direct/index.ts';
import { sqliteFolder } from '../../src/direct/sqlite.ts';
import type { DirectStorage } from '../../src/direct/storage.ts';
import { microtasks } from '../support/hand-queue.ts';
import { freshFolder } from './support/folder.ts';
import { HandClock } from './support/hand-clock.ts';
import { approval, ask, refusal } from './support/questions.ts';

function opened(folder: string, clock = new HandClock()): DirectTransport {
  const warn = (message: string) => expect.unreachable(message);
  const holdpoint = new DirectTransport({ storage: sqliteFolder(folder), clock, warn });
  onTestFinished(() => holdpoint.close());
  return holdpoint;
}

/** Notes which sessions leave memory. */
function watched(storage: DirectStorage, released: string[]): DirectStorage {
  return {
    open() {
      const inner = storage.open();
      return {
        ...inner,
        release(sessionId, isEmpty) {
          released.push(sessionId);
          inner.release(sessionId, isEmpty);
        },
      };
    },
  };
}

const filesIn = (folder: string) => readdirSync(join(folder, 'sessions')).toSorted();

describe('sessions in a folder', () => {
  it('[TRN-2, LOG-4] are there again in the next process, to the last word', async () => {
    const folder = freshFolder();
    const clock = new HandClock();
    const first = opened(folder, clock);
    const { id } = await first.createSession({ title: 'Deploy' });
    const how = { idempotencyKey: 'the-same-opening' };
    const { toolCallId: _, ...request } = approval('call-1', { offers: ['session'] });
    const one = await first.open(id, request, how);
    await ask(first, id, approval('call-2', { input: { other: true } }));
    const name = one.type === 'interaction' ? one.interaction.interactionId : '';
    await first.answer(id, name, { decision: 'approve', offer: 'session' });
    const before = await first.snapshot(id);
    const rules = await first.rules(id);
    first.close();

    const second = opened(folder, clock);
    expect((await second.inbox()).interactions).toMatchObject([{ interactionId: 'call-2~1' }]);
    expect((await second.sessions()).sessions).toMatchObject([{ id, title: 'Deploy', open: 1 }]);
    expect(await second.snapshot(id)).toEqual(before);
    expect(await second.rules(id)).toEqual(rules);
    expect(await second.open(id, request, how)).toMatchObject({
      interaction: { interactionId: name, outcome: 'approved' },
    });
    const seqs: number[] = [];
    second.subscribe(id, { events: (events) => seqs.push(...events.map(({ seq }) => seq)) });
    await clock.pass(10);
    expect(seqs).toEqual(Array.from({ length: before.head }, (_value, index) => index + 1));
  });

  it('[TIME-2, TIME-3] run the deadlines that passed while no process was there', async () => {
    const folder = freshFolder();
    const clock = new HandClock();
    const first = opened(folder, clock);
    const { id } = await first.createSession();
    const { id: quiet } = await first.createSession();
    await ask(first, id, approval('call-1', { timeoutSeconds: 60 }));
    await ask(first, quiet, approval('call-1', { timeoutSeconds: 7_200 }));
    first.close();

    clock.time += 3_600_000;
    const second = opened(folder, clock);
    await clock.pass(1_000);
    expect((await second.inbox()).interactions).toMatchObject([{ sessionId: quiet }]);
    expect((await second.interaction(id, 'call-1~1')).outcome).toBe('expired');
    second.close();

    const third = opened(folder, clock);
    await clock.pass(3_600_000);
    expect((await third.inbox()).total).toBe(0);
    expect((await third.interaction(quiet, 'call-1~1')).outcome).toBe('expired');
  });

  it('[TRN-2] belong to one process at a time', async () => {
    const folder = freshFolder();
    const first = opened(folder);
    expect(() => opened(folder)).toThrow(/open in another process/);
    first.close();
    const second = opened(folder);
    expect((await second.sessions()).sessions).toEqual([]);
  });

  it('[TRN-2] are not made by looking for them, nor by a creation that is refused', async () => {
    const folder = freshFolder();
    const holdpoint = opened(folder);
    await refusal(holdpoint.snapshot('misspelt'));
    await refusal(holdpoint.approveTool('misspelt', 'call-1'));
    const agent = holdpoint.as({ subject: 'bot', scopes: ['agent'] });
    const bold = agent.createSession({ id: 'bold', permissionMode: 'bypassPermissions' });
    expect(await refusal(bold)).toMatchObject({ code: 'forbidden' });
    expect(filesIn(folder)).toEqual([]);
  });

  it('[TRN-2] have files whose names no file system mixes up', async () => {
    const folder = freshFolder();
    const holdpoint = opened(folder);
    const ids = ['a', 'A', 'a:b', 'a_b', 'CON', 'X'.repeat(128), '-'];
    for (const id of ids) await holdpoint.createSession({ id, title: id });
    holdpoint.close();
    const files = filesIn(folder);
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(ids.length);
    for (const file of files) expect(file).toMatch(/^[a-z0-9_.-]{1,110}$/);
    const again = opened(folder);
    for (const id of ids) expect((await again.snapshot(id)).session.title).toBe(id);
  });

  it('[LOG-8] fail alone when one of their files is damaged', async () => {
    const folder = freshFolder();
    const first = opened(folder);
    await first.createSession({ id: 'whole' });
    await first.createSession({ id: 'damaged' });
    first.close();
    const name = filesIn(folder).find((file) => file.startsWith('damaged')) ?? '';
    writeFileSync(join(folder, 'sessions', name), 'not a database '.repeat(1_000));
    const second = opened(folder);
    const error = await refusal(second.snapshot('damaged'));
    expect(error).toMatchObject({ code: 'internal', status: 500, retry: 'now' });
    expect(error.cause).toBeInstanceOf(Error);
    expect(await refusal(second.approveTool('damaged', 'call-1'))).toMatchObject({
      code: 'internal',
    });
    const subscription = second.subscribe('damaged', {});
    await microtasks();
    expect(subscription.status).toMatchObject({ type: 'closed', error: { code: 'internal' } });
    expect((await second.snapshot('whole')).head).toBe(1);
  });

  it('[LOG-9] stay deleted', async () => {
    const folder = freshFolder();
    const first = opened(folder);
    const { id } = await first.createSession();
    await first.deleteSession(id);
    first.close();
    const second = opened(folder);
    expect(await refusal(second.snapshot(id))).toMatchObject({ code: 'not_found' });
    expect(await refusal(second.createSession({ id }))).toMatchObject({ code: 'session_deleted' });
  });

  it('[OUT-2] are told of in the end when the process dies right after it asked', async () => {
    const folder = freshFolder();
    const clock = new HandClock();
    const dying = opened(folder, clock);
    const { id } = await dying.createSession();
    await ask(dying, id, approval('call-1', { timeoutSeconds: 24 * 3600 }));
    const left = join(freshFolder(), 'as-it-was-left');
    cpSync(folder, left, { recursive: true });
    const next = opened(left, clock);
    expect(await next.inbox()).toMatchObject({ total: 0 });
    await clock.pass(61_000);
    expect(await next.inbox()).toMatchObject({ total: 1, interactions: [{ sessionId: id }] });
  });

  it('[INT-8, TIME-2] leave memory when there are many, and miss nothing', async () => {
    const clock = new HandClock();
    const released: string[] = [];
    const storage = watched(sqliteFolder(freshFolder()), released);
    const holdpoint = new DirectTransport({ storage, clock });
    onTestFinished(() => holdpoint.close());
    const { id } = await holdpoint.createSession();
    await ask(holdpoint, id, approval('call-1', { timeoutSeconds: 600 }));
    const waiting = holdpoint.interaction(id, 'call-1~1', { waitSeconds: 900 });
    const { id: quiet } = await holdpoint.createSession();
    await ask(holdpoint, quiet, approval('call-1', { timeoutSeconds: 600 }));
    await clock.pass(1_000);
    for (let count = 0; count < 250; count += 1) {
      await holdpoint.createSession();
      await clock.pass(100);
    }
    expect(released).toContain(quiet);
    expect(released).not.toContain(id);
    await clock.pass(600_000);
    expect((await waiting).outcome).toBe('expired');
    expect((await holdpoint.inbox()).total).toBe(0);
    expect((await holdpoint.interaction(quiet, 'call-1~1')).outcome).toBe('expired');
  }, 30_000);
});
