/**
 * docs/new-kind.md, followed as it is written, in a copy of the sources. A bug would look like a
 * newcomer who did what the page says and has a kind that does not compile, answer or show.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from '../../scripts/lib/paths.ts';
import { judge, readCitations, readRules } from '../../scripts/lib/rule-book.ts';
import { emptyTimeline, foldEvents } from '../../src/client/timeline/index.ts';
import type { Interaction, JsonObject } from '../../src/protocol/types.ts';
import { KINDS } from '../../src/core/kinds/index.ts';
import { addresseeOf } from '../../src/web/model/addressee.ts';
import { lastRows } from '../../src/web/model/rows.ts';
import { append } from '../support/asks.ts';
import { stepsOf } from './curl.ts';
import { exchangesIn, filesIn, patched, tableUnder } from './guide.ts';
import { KEY, served } from './served.ts';
import { Tree } from './tree.ts';
import { requestTo } from '../support/http/request-to.ts';

const GUIDE = readFileSync(path.join(ROOT, 'docs/new-kind.md'), 'utf8');
const files = filesIn(GUIDE);
const tree = new Tree();
afterAll(() => tree.remove());
for (const file of files) tree.follow(file);
const sources = files.map((file) => file.path);

// The tests that the guide's reader writes run as a part of these.
await tree.load('test/core/kinds/rating.test.ts');
await tree.load('test/integrations/rating-tool.test.ts');
const { startedSession } = await tree.load<typeof import('../support/session-storage.ts')>(
  'test/support/session-storage.ts',
);
const { createApp } = await tree.load<typeof import('../../src/http/app.ts')>('src/http/app.ts');
const { KINDS: NOW } =
  await tree.load<typeof import('../../src/core/kinds/index.ts')>('src/core/kinds/index.ts');

const variables = { HOLDPOINT_URL: 'http://127.0.0.1:8787', HOLDPOINT_TOKEN: KEY };

/** What the guide prints: `…` stands for the rest of a text and, as a name, for the rest of an object. */
function printed(value: unknown): unknown {
  if (typeof value === 'string' && value.endsWith('…')) {
    return expect.stringMatching(new RegExp(`^${value.slice(0, -1)}`));
  }
  if (Array.isArray(value)) return value.map(printed);
  if (typeof value !== 'object' || value === null) return value;
  const { '…': rest, ...shown } = value as JsonObject;
  const parts = Object.entries(shown).map(([name, part]) => [name, printed(part)] as const);
  const all = Object.fromEntries(parts);
  return rest === undefined ? all : expect.objectContaining(all);
}

const CALL = { toolName: 'RateRelease', input: {} };

async function played() {
  const world = await startedSession();
  // Agents also append the tool call that the rating is for.
  world.must(append({ type: 'tool_call', toolCallId: 'call_1', payload: CALL }));
  const app = served(world, createApp);
  const replies: { readonly shown: unknown; readonly got: unknown }[] = [];
  for (const { commands, reply: shown } of exchangesIn(GUIDE)) {
    let got: unknown;
    for (const step of stepsOf(commands, variables)) {
      if ('sleepMs' in step) await world.pass(step.sleepMs);
      else got = await (await app.fetch(requestTo(step.url, step.init))).json();
    }
    replies.push({ shown, got });
  }
  return { world, replies };
}

describe('the files', () => {
  it('are those that the page lists, in its order', () => {
    const listed = tableUnder(GUIDE, '| step | file |').map(([step, file]) => [Number(step), file]);
    expect(files.map(({ step, path: file }) => [step, file])).toEqual(listed);
  });

  it('type-check as the projects check theirs', { timeout: 60_000 }, async () => {
    expect(await tree.typeErrors(sources)).toBe('');
  });

  it('have a test for every rule', () => {
    const { rules, errors } = readRules(tree.read('docs/behaviour.md'));
    const added = rules.filter(({ address }) => address.startsWith('RATE-'));
    const test = 'test/core/kinds/rating.test.ts';
    expect(errors).toEqual([]);
    expect(added).toHaveLength(3);
    expect(judge(added, readCitations(test, tree.read(test))).errors).toEqual([]);
  });

  it('do not fit a file twice, or one that is another', () => {
    expect(() => patched('a\nb\na\nb\n', ' a\n+x\n b\n')).toThrow('Two places');
    expect(() => patched('a\n', '-b\n')).toThrow('No place');
    expect(patched('a\nb\n', ' a\n-b\n+c\n')).toBe('a\nc\n');
  });
});

describe('the kind', () => {
  it('is the only one that was added', () => {
    expect([...NOW.keys()]).toEqual([...KINDS.keys(), 'rating']);
  });

  it('answers what the page prints: asked, refused, answered, by text, expired, cancelled', async () => {
    const { replies } = await played();
    const shown = replies.filter((reply) => reply.shown !== undefined);
    expect(shown).toHaveLength(8);
    for (const reply of shown) expect(reply.got).toEqual(printed(reply.shown));
  });

  it('is sent to sockets, and drawn once for each question', async () => {
    const { world } = await played();
    const types = world.connect().events.map(({ type }) => type);
    expect(types.filter((type) => type === 'interaction_request')).toHaveLength(4);
    const { turns } = foldEvents(emptyTimeline(), world.log());
    const blocks = lastRows(turns, 100).flatMap((row) =>
      row.type === 'block' ? row.block.type : [],
    );
    // One of the calls was reported by its agent, and keeps its row beside its question.
    expect(blocks.toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'questionnaire'),
      'tool',
    ]);
  });

  it('is described in the reference', async () => {
    const { describeApi } = await tree.load<
      typeof import('../../src/http/openapi/describe-api.ts')
    >('src/http/openapi/describe-api.ts');
    const { ROUTES } = await tree.load<typeof import('../../src/http/routes/index.ts')>(
      'src/http/routes/index.ts',
    );
    const document = JSON.stringify(describeApi(ROUTES, '1.2.3'));
    for (const name of ['OpenRating', 'AnswerRating']) expect(document).toContain(`"${name}":`);
  });

  it('is in the inbox', async () => {
    const { InProcessHost } = await tree.load<
      typeof import('../../src/in-process/in-process-host.ts')
    >('src/in-process/in-process-host.ts');
    const host = new InProcessHost({ warn: () => undefined });
    const owner = host.transport();
    const { id } = await owner.createSession();
    await owner.open(id, { kind: 'rating', toolName: 'RateRelease', subject: 'Release 2.4' });
    await expect.poll(() => owner.inbox()).toMatchObject({ interactions: [{ kind: 'rating' }] });
    host.close();
  });
});

/** Only the members that these tests use: the drawing code needs the types of a browser. */
interface Cards {
  cardKindOf(record: Interaction): { readonly name: string };
}
const CARDS = 'src/web/cards/card-kinds.tsx';

describe('the chat', () => {
  const request = { subject: 'Release 2.4' };
  const record = { kind: 'rating', toolName: 'RateRelease', request } as unknown as Interaction;
  const replica = { open: [record], session: null };

  it('shows the general card before the last step, and says that text may answer', async () => {
    const cards = await tree.load<Cards>(CARDS, ROOT);
    expect(cards.cardKindOf(record).name).toBe('Request');
    expect(addresseeOf(replica, '4', true).to).toBe('unsure');
  });

  it('shows its own card after it, and says what the text answers', async () => {
    const cards = await tree.load<Cards>(CARDS);
    const composer = await tree.load<typeof import('../../src/web/model/addressee.ts')>(
      'src/web/model/addressee.ts',
    );
    expect(cards.cardKindOf(record).name).toBe('Rating');
    expect(cards.cardKindOf({ ...record, request: {} }).name).toBe('Request');
    expect(composer.addresseeOf(replica, '4', true).to).toBe('interaction');
    expect(composer.promptOfInteraction(record)).toBe('Release 2.4');
  });
});

describe('the other places that name kinds', () => {
  /**
   * Files in which the words mean something else: a field of a question, a mode of MCP, a command, the form of a page or of
   * a setting, an answer link, the link of a connection or of an invitation, a vote, a form of HTML, an icon.
   */
  const OTHERWISE = [
    'src/http/answer-links/find-linked.ts',
    'src/protocol/schema/actor.ts',
    'src/client/connection/machine.ts',
    'src/integrations/ask-human.ts',
    'src/integrations/acp/index.ts',
    'src/integrations/codex/index.ts',
    'src/integrations/mcp/answer-elicitation.ts',
    'src/http/answer-links/answer-by-link.ts',
    'src/cli/ask-person.ts',
    'src/cli/command-help/asking-commands.ts',
    'src/cli/command-help/setup-commands.ts',
    'src/agent/tools/person-tools.ts',
    'src/integrations/claude/claude-sdk.ts',
    'src/client/agent/outcomes.ts',
    'src/web/model/target-draft.ts',
    'src/http/routes/login.ts',
    'src/protocol/caller.ts',
    'src/web/settings/people-requests.ts',
    'src/workspace/sign-ins.ts',
    'src/web/files/composer-files.tsx',
    'src/web/palette/palette-items.ts',
  ];
  const NAME = new RegExp(`'(?:${[...KINDS.keys()].join('|')})'|\\bplan_review:`);

  it('are those that the page lists', () => {
    const naming = sourceFiles(ROOT, 'src')
      .filter((file) => !/^src\/(core|protocol)\/kinds\//.test(file))
      .filter((file) => NAME.test(readFileSync(path.join(ROOT, file), 'utf8')))
      .map((file) => file.replace(/^(src\/cli\/commands\/).*/, '$1'));
    const listed = tableUnder(GUIDE, '## Where else').map(([file]) => file);
    const expected = [...listed, ...sources.filter((file) => naming.includes(file)), ...OTHERWISE];
    expect([...new Set(naming)].toSorted()).toEqual(expected.toSorted());
  });
});
