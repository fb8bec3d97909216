/** A bug here looks like a deleted conversation that everyone who can read the folder of the sessions can read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { InProcessHost } from '../../src/in-process/index.ts';
import { sqliteFolder } from '../../src/in-process/sqlite.ts';
import { freshFolder } from './support/folder.ts';
import { approval, ask, refusal } from './support/questions.ts';

const MARKER = `MARKER-${'m'.repeat(20)}`;

it('[LOG-9] no text of a deleted session is in its file, nor in the log beside it', async () => {
  const folder = freshFolder();
  const host = new InProcessHost({ storage: sqliteFolder(folder) });
  onTestFinished(() => host.close());
  const transport = host.transport();
  await transport.createSession({ id: 'gone', title: MARKER, metadata: { note: MARKER } });
  for (let call = 0; call < 20; call += 1) {
    const input = { command: `${MARKER} ${'x'.repeat(4_000)}` };
    const opened = await ask(transport, 'gone', approval(`call-${call}`, { input }));
    await transport.answer('gone', opened.interactionId, { decision: 'deny', reason: MARKER });
  }
  const filesWithMarker = () => {
    const sessions = join(folder, 'sessions');
    return readdirSync(sessions).filter((name) =>
      readFileSync(join(sessions, name)).includes(MARKER),
    );
  };
  expect(filesWithMarker()).not.toEqual([]);
  await transport.deleteSession('gone');
  expect(filesWithMarker()).toEqual([]);
  expect(await refusal(transport.createSession({ id: 'gone' }))).toMatchObject({
    code: 'session_deleted',
  });
});
