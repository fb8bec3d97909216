/**
 * The importer over HTTP, while the server is killed and while another process imports too. A bug here looks like a
 * history with a hole, with lines twice, or of two transcripts, or like two importers that never end.
 */
import { expect, it } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { importTranscript } from '../../src/client/import-transcript.ts';
import type { HistoryEntry } from '../../src/protocol/types.ts';
import { ALL_BUT_ADMIN, keyWith } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import { digestOf, entriesOf, entryAt } from '../support/transcripts.ts';

const server = await startServer();
const token = await keyWith(...ALL_BUT_ADMIN);
const transportOf = () => new HttpTransport({ url: server.url, token, WebSocket: false });
const transport = transportOf();
const cliOf = (cliSessionId: string) => ({ provider: 'claude-code', cliSessionId });

async function storedEntries(session: string): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await transport.history(session, {
      limit: 1_000,
      ...(cursor !== undefined && { cursor }),
    });
    entries.push(...page.entries);
    cursor = page.next;
  } while (cursor !== undefined);
  return entries;
}

it('[ALN-1] goes on where it was when the server is killed between its pages', async () => {
  const { id } = await transport.createSession();
  const all = entriesOf(4_000);
  const seen: number[] = [];
  let isBack: Promise<void> | undefined;
  const extent = await importTranscript(transport, id, cliOf('killed'), all, {
    onPage(entries) {
      seen.push(entries);
      if (seen.length === 2) isBack = server.restart('kill');
    },
  });
  await isBack;
  expect(extent).toEqual({ entries: 4_000, digest: digestOf(all), rev: 1 });
  expect(seen).toEqual([...new Set(seen)]);
  expect(await storedEntries(id)).toEqual(all);
});

it('[ALN-1] is taken up by a second run after the first has stopped', async () => {
  const { id } = await transport.createSession();
  const all = entriesOf(4_000);
  const stop = new AbortController();
  const stopped = importTranscript(transport, id, cliOf('stopped'), all, {
    signal: stop.signal,
    onPage: () => stop.abort(),
  });
  await expect(stopped).rejects.toThrow();
  await server.restart('kill');
  const before = (await transport.snapshot(id)).session.cliSessions[0]?.entries ?? 0;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(4_000);
  const seen: number[] = [];
  await importTranscript(transport, id, cliOf('stopped'), all, {
    onPage: (entries) => seen.push(entries),
  });
  expect(seen[0]).toBeGreaterThan(before);
  expect(await storedEntries(id)).toEqual(all);
});

it('[ALN-1] is the same when two importers send a growing file, one of them an older state of it', async () => {
  const { id } = await transport.createSession();
  const all = entriesOf(3_500);
  const ends = [700, 3_500, 1_900, 3_499];
  await Promise.all(
    ends.map((end) => importTranscript(transportOf(), id, cliOf('growing'), all.slice(0, end))),
  );
  expect(await storedEntries(id)).toEqual(all);
  const { session } = await transport.snapshot(id);
  expect(session.cliSessions).toEqual([{ ...cliOf('growing'), entries: 3_500, rev: 1 }]);
});

it('[ALN-1] ends when two importers send different transcripts, and stores one of them', async () => {
  const { id } = await transport.createSession();
  const rewritten = (name: string) => [entryAt(0, name), ...entriesOf(4_000).slice(1)];
  const cli = cliOf('rewritten');
  const ended = await Promise.allSettled(
    ['one', 'two'].map((name) => importTranscript(transportOf(), id, cli, rewritten(name))),
  );
  // In lockstep both give up; neither goes on for ever.
  const refused = expect.stringMatching(/^history_(changed|gap)$/) as unknown;
  for (const each of ended) {
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: refused });
  }
  await importTranscript(transport, id, cli, rewritten('two'));
  expect(await storedEntries(id)).toEqual(rewritten('two'));
});

it('[ALN-6] the export has the history after the log, each line with its CLI session', async () => {
  const { id } = await transport.createSession();
  const all = entriesOf(1_200);
  await importTranscript(transport, id, cliOf('exported'), all);
  await importTranscript(transport, id, cliOf('resumed'), [entryAt(0, 'resumed')]);
  const response = await fetch(`${server.url}/v1/sessions/${id}/export`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const lines = (await response.text()).trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as { seq?: number });
  const { head } = await transport.snapshot(id);
  expect(parsed.slice(0, head).map(({ seq }) => seq)).toEqual(
    Array.from({ length: head }, (_, index) => index + 1),
  );
  expect(parsed.slice(head)).toEqual([
    ...all.map((entry) => ({ ...cliOf('exported'), entry })),
    { ...cliOf('resumed'), entry: entryAt(0, 'resumed') },
    { end: true, head },
  ]);
});
