/**
 * The conversations of command-line agents, in real objects: a claim at the workspace and a session that has it are two
 * writes in two objects. A bug here looks like a CLI session that no session can have after a crash.
 */
import { expect, it } from 'vitest';
import type { WorkspaceStub } from '../../src/http/stubs.ts';
import { digestOf, entriesOf } from '../support/transcripts.ts';
import { call, freshName, must } from './support/api.ts';
import { createSession, workspaceStub } from './support/session.ts';

const someCli = () => ({ provider: 'codex', cliSessionId: freshName('cli') });

it('[ALN-5] a crash between the claim and the session is healed by a repeat', async () => {
  const session = await createSession();
  const other = await createSession();
  const cli = someCli();
  const workspace = workspaceStub() as unknown as WorkspaceStub;
  await workspace.claimCliSession(cli, session.id);
  expect(await must('GET', session.path)).toMatchObject({ session: { cliSessions: [] } });
  const lookUp = `/v1/cli-sessions/${cli.provider}/${cli.cliSessionId}`;
  expect(await must('GET', lookUp)).toMatchObject({ session: { id: session.id } });
  const refused = await call('PUT', `${other.path}/cli`, { body: cli });
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { code: 'cli_session_taken', details: { session: session.id } } },
  });
  expect(await must('PUT', `${session.path}/cli`, { body: cli })).toMatchObject({
    session: { cliSessions: [{ ...cli, entries: 0, rev: 0 }] },
  });
});

it('[ALN-1, ALN-6] history goes in, comes out in pages, and its CLI session is free after a deletion', async () => {
  const session = await createSession();
  const cli = someCli();
  const all = entriesOf(130);
  const page = { ...cli, from: 0, prefixDigest: '', entries: all };
  const path = `${session.path}/history`;
  expect(await call('POST', path, { body: page })).toMatchObject({ status: 404 });
  await must('PUT', `${session.path}/cli`, { body: cli });
  const extent = { entries: 130, digest: digestOf(all), rev: 1 };
  expect(await must('POST', path, { body: page })).toEqual(extent);
  const first = await must('GET', `${path}?limit=100`);
  expect(first.entries).toEqual(all.slice(0, 100));
  const second = await must('GET', `${path}?limit=100&after=${first.next}`);
  expect(second).toMatchObject({ from: 100, entries: all.slice(100) });
  await must('DELETE', session.path);
  expect(await call('GET', path)).toMatchObject({ status: 404 });
  const next = await createSession();
  await must('PUT', `${next.path}/cli`, { body: cli });
  expect(await must('GET', `${next.path}/history`)).toEqual({ entries: [] });
});
