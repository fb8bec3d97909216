/**
 * A command-line agent: its shell call asks, a person answers at the call, and its transcript is imported.
 *
 * A script plays the agent with what the real Claude Code wrote (`test/transcript-fixture/`); `npm run e2e:claude -- ask`
 * is the same with the real program. A bug looks like a question away from its call, or a conversation in another order.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { importTranscript } from '../../src/client/import-transcript.ts';
import { readTranscript } from '../../src/integrations/transcripts/transcript-reader.ts';
import type { AppendedEvent, HistoryEntry } from '../../src/protocol/types.ts';
import { newPerson, PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { shownBlocks } from './stage/shown-blocks.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const TRANSCRIPT = path.join(ROOT, 'test/transcript-fixture/claude-code.jsonl');
const ORIGIN = 'Asked by a command in this call';
const ASK = {
  kind: 'question',
  toolName: 'holdpoint_ask',
  correlate: {
    plugin: 'holdpoint',
    operation: 'ask',
    tool: 'holdpoint_ask',
    command: ['ask', 'Which database?', '--option', 'PostgreSQL', '--option', 'SQLite'],
  },
  questions: [
    {
      header: 'Database',
      question: 'Which database?',
      options: [{ label: 'PostgreSQL' }, { label: 'SQLite' }],
    },
  ],
};

/** The conversation up to the call that asks, the rest of it, and its CLI session. */
function recorded() {
  const { entries, session } = readTranscript('claude-code', readFileSync(TRANSCRIPT, 'utf8'));
  if (session === undefined) throw new Error('The transcript names no session');
  const asks = entries.findIndex(
    ({ type, payload }) =>
      type === 'tool_call' && JSON.stringify(payload).includes('holdpoint ask'),
  );
  return { cli: session, before: entries.slice(0, asks + 1), rest: entries.slice(asks + 1) };
}

/** The entries as if the program wrote them now: the last one has just been written. */
function writtenNow(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const shift = Date.now() - (entries.at(-1)?.at ?? 0);
  return entries.map((entry) => ({ ...entry, at: entry.at + shift }));
}

function turnsOf(entries: readonly HistoryEntry[]): HistoryEntry[][] {
  const turns: HistoryEntry[][] = [[]];
  for (const entry of entries) {
    if (entry.type === 'turn_started') turns.push([]);
    turns.at(-1)?.push(entry);
  }
  return turns;
}

/** What an agent reports: everything but the messages of the person. */
function reported(entries: readonly HistoryEntry[]): AppendedEvent[] {
  return entries
    .filter(({ type }) => type !== 'user_message')
    .map(({ id: _id, at: _at, ...event }) => event as AppendedEvent);
}

story(
  'a command in a shell asks: its question stands at the call, live, reloaded and imported',
  async ({ server, agent }) => {
    const person = await newPerson();
    const { cli, ...parts } = recorded();
    const before = writtenNow(parts.before);
    const id = await agent.opensSession('Choose a database');
    const transport = new HttpTransport({ url: server.url, token: server.adminKey });
    try {
      await transport.mapCliSession(id, { ...cli, cliSessionId: `${cli.cliSessionId}-${id}` });
      await person.opens(`${await agent.linkFor('ada')}&session=${id}`);
      await agent.appends(id, reported(before));
      const interactionId = await agent.asks(id, ASK);
      await person.sees(ORIGIN);
      const [call, card, ...after] = (await shownBlocks(person)).slice(-2);
      expect(call).toMatch(/^Bash holdpoint ask "Which database\?".*Waiting for you$/);
      expect([card, ...after]).toEqual([interactionId]);
      await checkPage(person, 'a question of a command');
      const live = await shownBlocks(person);
      await person.reloads();
      await person.sees(ORIGIN);
      expect(await shownBlocks(person)).toEqual(live);

      // The transcript arrives while the person is asked.
      const session = { ...cli, cliSessionId: `${cli.cliSessionId}-${id}` };
      await importTranscript(transport, id, session, before);
      await person.sees(/^History from Claude Code/);
      await person.sees('Please choose a database.');
      expect(await shownBlocks(person)).toEqual(live);
      await person.reloads();
      await person.sees(/^History from Claude Code/);
      await person.sees(ORIGIN);
      expect(await shownBlocks(person)).toEqual(live);

      await person.chooses('PostgreSQL');
      await person.presses('Submit');
      const outcome = await agent.receivesOutcome(id, interactionId);
      expect(outcome).toMatchObject({
        outcome: 'answered',
        toolCallId: before.at(-1)?.type === 'tool_call' ? interactionId.split('~')[0] : '',
        correlated: { by: 'words' },
      });
      const entries = [...before];
      for (const turn of turnsOf(parts.rest)) {
        const written = writtenNow(turn);
        entries.push(...written);
        await agent.appends(id, reported(written));
      }
      await person.sees('It is written.');
      await person.seesNoMore('Working');
      const done = await shownBlocks(person);
      await importTranscript(transport, id, session, entries);
      await person.sees(new RegExp(`${entries.length} entries`));
      expect(await shownBlocks(person)).toEqual(done);
      await checkPage(person, 'an imported conversation');
      await person.reloads();
      await person.sees(new RegExp(`${entries.length} entries`));
      await person.sees('It is written.');
      expect(await shownBlocks(person)).toEqual(done);
      await leavesWithoutProblems(person);
    } finally {
      transport.close();
    }
  },
);

story(
  'a conversation of the past is read on a phone, with its source',
  async ({ server, agent }) => {
    const person = await newPerson(PHONE);
    const { cli, before, rest } = recorded();
    const id = await agent.opensSession('Read it later');
    const transport = new HttpTransport({ url: server.url, token: server.adminKey });
    try {
      const session = { ...cli, cliSessionId: `${cli.cliSessionId}-${id}` };
      await importTranscript(transport, id, session, [...before, ...rest]);
      await person.opens(`${await agent.linkFor('ada')}&session=${id}`);
      await person.sees(/^History from Claude Code/);
      await person.sees('Please choose a database.');
      await checkPage(person, 'imported history on a phone');
      await person.presses('Session settings');
      await person.sees('Command-line conversations');
      await checkPage(person, 'the CLI sessions of a session on a phone');
      await leavesWithoutProblems(person);
    } finally {
      transport.close();
    }
  },
);
