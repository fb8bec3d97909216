/**
 * A folder outlives its process. A bug here would lose the answer of a person, or leave a deadline that never runs
 * because no caller opens its session again.
 */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InProcessHost } from '../../src/in-process/index.ts';
import { sqliteFolder } from '../../src/in-process/sqlite.ts';
import { freshFolder } from './support/folder.ts';
import { HandClock } from './support/hand-clock.ts';
import { approval, ask, refusal } from './support/questions.ts';
import { inLongRun } from '../support/run-length.ts';

function opened(
  folder: string,
  clock = new HandClock(),
  warn: (message: string, evidence: unknown) => void = (message) => expect.unreachable(message),
) {
  const host = new InProcessHost({ storage: sqliteFolder(folder), clock, warn });
  onTestFinished(() => host.close());
  return { host, transport: host.transport() };
}

const filesIn = (folder: string) => readdirSync(join(folder, 'sessions')).toSorted();

describe('sessions in a folder', () => {
  it('[TRN-2, LOG-4] are complete in the next process', async () => {
    const folder = freshFolder();
    const clock = new HandClock();
    const first = opened(folder, clock);
    const { id } = await first.transport.createSession({ title: 'Deploy' });
    const how = { idempotencyKey: 'the-same-opening' };
    const { toolCallId: _, ...request } = approval('call-1', { offers: ['session'] });
    const ruled = await first.transport.open(id, request, how);
    await ask(first.transport, id, approval('call-2', { input: { other: true } }));
    const name = ruled.type === 'interaction' ? ruled.interaction.interactionId : '';
    await first.transport.answer(id, name, {
      decision: 'approve',
      offer: 'session',
      everyCommand: true,
    });
    const before = await first.transport.snapshot(id);
    const rules = await first.transport.rules(id);
    first.host.close();

    const second = opened(folder, clock);
    expect((await second.transport.inbox()).interactions).toMatchObject([
      { interactionId: 'call-2~1' },
    ]);
    expect((await second.transport.sessions()).sessions).toMatchObject([
      { id, title: 'Deploy', open: 1 },
    ]);
    expect(await second.transport.snapshot(id)).toEqual(before);
    expect(await second.transport.rules(id)).toEqual(rules);
    expect(await second.transport.open(id, request, how)).toMatchObject({
      interaction: { interactionId: name, outcome: 'approved' },
    });
    const seqs: number[] = [];
    second.transport.subscribe(id, {
      events: (events) => seqs.push(...events.map(({ seq }) => seq)),
    });
    await clock.pass(10);
    expect(seqs).toEqual(Array.from({ length: before.head }, (_value, index) => index + 1));
  });

  it('[TIME-2, TIME-3] run the deadlines that passed while no process ran', async () => {
    const folder = freshFolder();
    const clock = new HandClock();
    const first = opened(folder, clock);
    const { id } = await first.transport.createSession();
    const { id: quiet } = await first.transport.createSession();
    await ask(first.transport, id, approval('call-1', { timeoutSeconds: 60 }));
    await ask(first.transport, quiet, approval('call-1', { timeoutSeconds: 7_200 }));
    first.host.close();

    clock.time += 3_600_000;
    const second = opened(folder, clock);
    await clock.pass(1_000);
    expect((await second.transport.inbox()).interactions).toMatchObject([{ sessionId: quiet }]);
    expect((await second.transport.interaction(id, 'call-1~1')).outcome).toBe('expired');
    second.host.close();

    const third = opened(folder, clock);
    await clock.pass(3_600_000);
    expect((await third.transport.inbox()).total).toBe(0);
    expect((await third.transport.interaction(quiet, 'call-1~1')).outcome).toBe('expired');
  });

  it('[TRN-2] belong to one process at a time', async () => {
    const folder = freshFolder();
    const first = opened(folder);
    expect(() => opened(folder)).toThrow(/open in another process/);
    first.host.close();
    const second = opened(folder);
    expect((await second.transport.sessions()).sessions).toEqual([]);
  });

  it('[TRN-2] are created neither by a lookup nor by a refused creation', async () => {
    const folder = freshFolder();
    const { host, transport: holdpoint } = opened(folder);
    await refusal(holdpoint.snapshot('misspelt'));
    await refusal(holdpoint.approveTool('misspelt', 'call-1'));
    const agent = host.transport({ subject: 'bot', scopes: ['agent'] });
    const bold = agent.createSession({ id: 'bold', permissionMode: 'bypassPermissions' });
    expect(await refusal(bold)).toMatchObject({ code: 'forbidden' });
    expect(filesIn(folder)).toEqual([]);
  });

  it('[TRN-2] have file names that are distinct on every file system', async () => {
    const folder = freshFolder();
    const { host, transport: holdpoint } = opened(folder);
    const ids = ['a', 'A', 'a:b', 'a_b', 'CON', 'X'.repeat(128), '-'];
    for (const id of ids) await holdpoint.createSession({ id, title: id });
    host.close();
    const files = filesIn(folder);
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(ids.length);
    for (const file of files) expect(file).toMatch(/^[a-z0-9_.-]{1,110}$/);
    const again = opened(folder);
    for (const id of ids) expect((await again.transport.snapshot(id)).session.title).toBe(id);
  });

  inLongRun(() => {
    it('[LOG-8] fail alone when one of their files is damaged', async () => {
      const folder = freshFolder();
      const first = opened(folder);
      await first.transport.createSession({ id: 'whole' });
      await first.transport.createSession({ id: 'damaged' });
      first.host.close();
      const name = filesIn(folder).find((file) => file.startsWith('damaged')) ?? '';
      writeFileSync(join(folder, 'sessions', name), 'not a database '.repeat(1_000));
      const causes: unknown[] = [];
      const second = opened(folder, undefined, (_message, evidence) => void causes.push(evidence));
      const error = await refusal(second.transport.snapshot('damaged'));
      expect(error).toMatchObject({ code: 'internal', status: 500, retry: 'now' });
      expect(causes[0]).toBeInstanceOf(Error);
      expect(await refusal(second.transport.approveTool('damaged', 'call-1'))).toMatchObject({
        code: 'internal',
      });
      const subscription = second.transport.subscribe('damaged', {});
      await expect.poll(() => subscription.status.type).toBe('waiting');
      expect((await second.transport.snapshot('whole')).head).toBe(1);
    });
  });

  it('[LOG-9] stay deleted', async () => {
    const folder = freshFolder();
    const first = opened(folder);
    const { id } = await first.transport.createSession();
    await first.transport.deleteSession(id);
    first.host.close();
    const second = opened(folder);
    expect(await refusal(second.transport.snapshot(id))).toMatchObject({ code: 'not_found' });
    expect(await refusal(second.transport.createSession({ id }))).toMatchObject({
      code: 'session_deleted',
    });
  });

  it('[OUT-2] reach the inbox when the process dies right after it asked', async () => {
    const folder = freshFolder();
    const clock = new HandClock();
    const dying = opened(folder, clock);
    const { id } = await dying.transport.createSession();
    await ask(dying.transport, id, approval('call-1', { timeoutSeconds: 24 * 3600 }));
    const left = join(freshFolder(), 'as-it-was-left');
    cpSync(folder, left, { recursive: true });
    const next = opened(left, clock);
    expect(await next.transport.inbox()).toMatchObject({ total: 0 });
    await clock.pass(61_000);
    expect(await next.transport.inbox()).toMatchObject({
      total: 1,
      interactions: [{ sessionId: id }],
    });
  });
});
