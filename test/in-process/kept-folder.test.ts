/**
 * A folder of the first version whose schema is kept. A bug here looks like the folder of a user that the next version
 * does not open, or opens and reads wrongly.
 */
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fileNameOf, sqliteFolder } from '../../src/in-process/sqlite.ts';
import { InProcessHost } from '../../src/in-process/index.ts';
import type { SessionEvent } from '../../src/protocol/types.ts';
import { copyKept, makeNewer } from '../storage-fixture/copy.ts';
import { GONE, KEPT } from '../storage-fixture/scenario.ts';
import { freshFolder } from './support/folder.ts';
import { approval, ask } from './support/questions.ts';

function opened(folder: string) {
  const host = new InProcessHost({ storage: sqliteFolder(folder) });
  onTestFinished(() => host.close());
  const transport = host.transport();
  return { host, transport };
}

function keptFolder(): string {
  const folder = freshFolder();
  copyKept('in-process', folder);
  return folder;
}

it('[LOG-11] opens, shows everything, and goes on', async () => {
  const folder = keptFolder();
  const first = opened(folder);
  expect(await first.transport.sessions()).toMatchObject({
    sessions: [{ id: KEPT, title: 'Kept', open: 3 }],
  });
  expect(await first.transport.inbox()).toMatchObject({ total: 3 });
  const { session, open, head } = await first.transport.snapshot(KEPT);
  expect(session).toMatchObject({
    metadata: { ticket: 7 },
    queued: [{ text: 'After that, tell me.' }],
  });
  expect(open.map(({ interactionId }) => interactionId).toSorted()).toEqual([
    'form~1',
    'half-answered~1',
    'replaced~2',
  ]);
  expect(await first.transport.rules(KEPT)).toMatchObject([{ toolName: 'Bash' }]);
  expect(await first.transport.interaction(KEPT, 'approved~1')).toMatchObject({
    outcome: 'approved',
  });
  await expect(first.transport.snapshot(GONE)).rejects.toMatchObject({ code: 'not_found' });

  await first.transport.answer(KEPT, 'form~1', { values: { host: 'here' } });
  const events: SessionEvent[] = [];
  first.transport.subscribe(KEPT, { events: (some) => void events.push(...some) });
  await expect.poll(() => events.length).toBe(head + 2);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  first.host.close();

  const second = opened(folder);
  expect(await second.transport.inbox()).toMatchObject({ total: 2 });
});

it('[LOG-11] of a newer version is refused with a sentence, and that version can open it at once', async () => {
  const folder = keptFolder();
  const first = opened(folder);
  await first.transport.rename(KEPT, 'Written to');
  await first.transport.inbox();
  first.host.close();
  makeNewer(join(folder, 'workspace.sqlite'));
  for (let tries = 0; tries < 2; tries += 1) {
    expect(() => opened(folder)).toThrow(
      `${folder} is not served. It was written by a newer version`,
    );
  }
});

it('[LOG-13] in which one session was restored alone shows the restored session', async () => {
  const folder = freshFolder();
  const file = join(folder, 'sessions', fileNameOf(KEPT));
  const first = opened(folder);
  await first.transport.createSession({ id: KEPT });
  await ask(first.transport, KEPT, approval('stays', { timeoutSeconds: null }));
  await first.transport.inbox();
  first.host.close();
  copyFileSync(file, `${file}.copy`);

  const second = opened(folder);
  await ask(second.transport, KEPT, approval('asked-later', { timeoutSeconds: null }));
  await second.transport.answer(KEPT, 'stays~1', { decision: 'approve' });
  expect(await second.transport.inbox()).toMatchObject({
    interactions: [{ interactionId: 'asked-later~1' }],
  });
  second.host.close();
  renameSync(`${file}.copy`, file);

  const third = opened(folder);
  await third.transport.snapshot(KEPT);
  expect(await third.transport.inbox()).toMatchObject({
    interactions: [{ interactionId: 'stays~1' }],
  });
});
