/** Conversations of command-line agents through a transport: whose they are, and their transcripts. */
import { describe, expect, it } from 'vitest';
import { importTranscript } from '../../../src/client/import-transcript.ts';
import type { HistoryEntry, HistoryPage } from '../../../src/protocol/types.ts';
import { digestOf, entriesOf, entryAt } from '../../support/transcripts.ts';
import type { World } from '../transport.contract.ts';
import { begin, expectRefused } from './questions.ts';

let count = 0;
/** Every test has a CLI session of its own: they belong to the workspace. */
const someCli = () => ({
  provider: 'codex',
  cliSessionId: `contract ${(count += 1)}/${Date.now()}`.replace(' ', '-'),
});

export function historyContract(world: World): void {
  describe('history', () => {
    it('[TRN-1, ALN-5] adds a CLI session to a session, and finds the session by it', async () => {
      const { transport, agent } = world();
      const cli = { ...someCli(), cwd: '/home/mia', model: 'gpt' };
      await expectRefused(transport.findCliSession(cli.provider, cli.cliSessionId), 'not_found');
      const id = await begin(agent);
      const shown = { ...cli, entries: 0, rev: 0 };
      expect((await agent.mapCliSession(id, cli)).cliSessions).toEqual([shown]);
      expect((await agent.mapCliSession(id, cli)).cliSessions).toEqual([shown]);
      expect(await transport.findCliSession(cli.provider, cli.cliSessionId)).toMatchObject({ id });
      expect((await transport.snapshot(id)).session.cliSessions).toEqual([shown]);
      const error = await expectRefused(
        agent.mapCliSession(await begin(agent), cli),
        'cli_session_taken',
      );
      expect(error.details).toEqual({ session: id });
      await transport.deleteSession(id);
      const other = await begin(agent);
      expect((await agent.mapCliSession(other, cli)).cliSessions).toEqual([shown]);
    });

    it('[TRN-1, ALN-1] imports a transcript in pages, again, and after it grew or was rewritten', async () => {
      const { transport, agent } = world();
      const id = await begin(agent);
      const cli = someCli();
      const read = async () => {
        const entries: HistoryEntry[] = [];
        let page: HistoryPage = await transport.history(id, { limit: 700 });
        for (;;) {
          entries.push(...page.entries);
          if (page.next === undefined) return entries;
          page = await transport.history(id, { limit: 700, cursor: page.next });
        }
      };
      expect(await transport.history(id)).toEqual({ entries: [] });
      const all = entriesOf(1_500);
      const first = { entries: 1_500, digest: digestOf(all), rev: 1 };
      expect(await importTranscript(agent, id, cli, all)).toEqual(first);
      expect(await importTranscript(agent, id, cli, all)).toEqual(first);
      const grown = [...all, entryAt(1_500), entryAt(1_501)];
      expect(await importTranscript(agent, id, cli, grown)).toMatchObject({
        entries: 1_502,
        rev: 1,
      });
      expect(await read()).toEqual(grown);
      const rewritten = [entryAt(0, 'Another beginning'), ...grown.slice(1)];
      expect(await importTranscript(agent, id, cli, rewritten)).toEqual({
        entries: 1_502,
        digest: digestOf(rewritten),
        rev: 2,
      });
      expect(await read()).toEqual(rewritten);
      expect((await transport.snapshot(id)).session.cliSessions).toEqual([
        { ...cli, entries: 1_502, rev: 2 },
      ]);
    });

    it('[ALN-1] is the same when two importers send one transcript at once', async () => {
      const { transport, agent } = world();
      const id = await begin(agent);
      const cli = someCli();
      const all = entriesOf(2_500);
      await Promise.all([
        importTranscript(agent, id, cli, all),
        importTranscript(transport, id, cli, all),
      ]);
      const { session } = await transport.snapshot(id);
      expect(session.cliSessions).toEqual([{ ...cli, entries: 2_500, rev: 1 }]);
    });

    it('[ALN-1] refuses pages of a CLI session of another session, and pages out of place', async () => {
      const { agent } = world();
      const id = await begin(agent);
      const cli = someCli();
      const page = { ...cli, from: 0, prefixDigest: '', entries: entriesOf(2) };
      await expectRefused(agent.importHistory(id, page), 'not_found');
      await agent.mapCliSession(id, cli);
      await expectRefused(agent.importHistory(id, { ...page, from: 1 }), 'history_gap');
      await agent.importHistory(id, page);
      await expectRefused(
        agent.importHistory(id, { ...page, from: 1, prefixDigest: 'a'.repeat(64) }),
        'history_changed',
      );
      const foreign = await begin(agent);
      await expectRefused(agent.importHistory(foreign, page), 'not_found');
    });
  });
}
