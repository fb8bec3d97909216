/**
 * Choices of an approval, and a denial that stops the turn, on the page of an answer link. A bug here looks like a choice
 * that the link was not made for, a label that hides what it does, or a form that sends another choice than it shows.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { LinkAnswer } from '../../src/protocol/schema/answer-link.ts';
import { DIGEST, LinkPages, openRecord } from '../support/http/link-pages.ts';

const CHOICES = [
  { id: 'once', label: 'Run it', decision: 'approve' },
  { id: 'exact\r', label: 'Always this', decision: 'approve', remember: 'exact' },
  { id: 'tool', label: 'Always', tone: 'primary', decision: 'approve', remember: 'tool' },
  { id: 'never', label: 'Never', decision: 'deny' },
  { id: 'halt', label: 'Stop', decision: 'deny', stop: true },
];
const LONG = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');

function pagesFor(
  choices: readonly JsonObject[],
  answers: readonly LinkAnswer[] = ['approve', 'deny'],
  command = 'rm -rf build',
) {
  const request = { input: { command }, choices: [...choices] };
  return new LinkPages(openRecord({ request }), { answers });
}

type Fields = readonly (readonly [string, string])[];
const choose = (index: number, ...more: Fields): Fields => [
  ['act', 'decide'],
  ['choice', String(index)],
  ...more,
];

describe('the page of a request with choices', () => {
  it('[APR-6, LINK-2] shows each with what it does, and no other approval', async () => {
    const text = await pagesFor(CHOICES, ['approve', 'deny', 'allow_for_session']).text();
    for (const words of ['Approves this call.', 'the same input for', 'every Bash call for']) {
      expect(text).toContain(words);
    }
    expect(text).toContain('Denies this call and stops the agent’s turn.');
    expect(text).toContain('It runs any command it is given.');
    expect(text).not.toMatch(/value="approve"|value="allow_for_session"|value="deny"/);
    expect(text).not.toContain('checked');
  });

  it.each<[readonly LinkAnswer[], readonly string[]]>([
    [['approve'], ['Run it']],
    [['deny'], ['Never', 'Stop']],
    [['allow_for_session'], ['Always this', 'Always']],
    [
      ['approve', 'deny'],
      ['Run it', 'Never', 'Stop'],
    ],
  ])('[APR-6, LINK-1] for %j shows %j', async (answers, labels) => {
    const text = await pagesFor(CHOICES, answers).text();
    const shown = [...text.matchAll(/<bdi>([^<]*)<\/bdi><\/strong>/g)].map(([, label]) => label);
    expect(shown).toEqual(labels);
  });

  it('[APR-6, LINK-2] writes a label as text, with its invisible characters as escapes', async () => {
    const label = `</label><script>alert(1)</script>"\u202E\u200B`;
    const text = await pagesFor([{ id: '"><script>', label, decision: 'deny' }]).text();
    expect(text).not.toMatch(/<script|\u202E|\u200B/);
    expect(text).toContain('202E');
  });

  it('[APR-6] lets a person deny where no choice does', async () => {
    const [approval = {}] = CHOICES;
    const text = await pagesFor([approval]).text();
    expect(text).toContain('name="act" value="deny"');
    expect(await pagesFor([approval], ['approve']).text()).not.toContain('value="deny"');
  });
});

describe('a sent form', () => {
  it.each<[Fields, JsonObject]>([
    [choose(0, ['reason', ' fine ']), { choice: 'once', reason: 'fine' }],
    [choose(1), { choice: 'exact\r' }],
    [choose(3, ['stop', 'yes']), { choice: 'never', stop: true }],
    [choose(4), { choice: 'halt' }],
    [
      [
        ['act', 'deny'],
        ['stop', 'yes'],
      ],
      { decision: 'deny', stop: true },
    ],
  ])('[APR-6, APR-7] %j gives %j', async (fields, answer) => {
    const pages = pagesFor(CHOICES, ['approve', 'deny', 'allow_for_session']);
    expect((await pages.send(fields)).status).toBe(200);
    expect(pages.answers).toEqual([{ ...answer, inputDigest: DIGEST }]);
  });

  it.each<[Fields]>([
    [[['act', 'decide']]],
    [choose(5)],
    [choose(-1)],
    [
      [
        ['act', 'decide'],
        ['choice', 'once'],
      ],
    ],
  ])('[APR-6] %j chooses nothing, and keeps what was typed', async (fields) => {
    const pages = pagesFor(CHOICES);
    const response = await pages.send([...fields, ['reason', 'because']]);
    expect(response.status).toBe(422);
    expect(pages.answers).toEqual([]);
    const text = await response.text();
    expect(text).toContain('Choose an answer.');
    expect(text).toContain('because');
  });

  it('[APR-6, LINK-1] with a choice that the link was not made for is refused', async () => {
    const pages = pagesFor(CHOICES);
    expect((await pages.send(choose(2))).status).toBe(422);
    expect((await pagesFor(CHOICES, ['approve']).send(choose(3))).status).toBe(422);
    expect(pages.answers).toEqual([]);
  });

  it('[APR-6, LINK-2] approves a folded input only after it was read, and denies it at once', async () => {
    const pages = pagesFor(CHOICES, ['approve', 'deny'], LONG);
    const unread = await pages.send(choose(0));
    expect(unread.status).toBe(422);
    expect(await unread.text()).toContain('Open all of the input');
    expect((await pages.send(choose(3))).status).toBe(200);
    const read = pagesFor(CHOICES, ['approve', 'deny'], LONG);
    expect((await read.send(choose(0, ['seen', 'yes']))).status).toBe(200);
    expect(read.answers).toHaveLength(1);
  });
});

it('[APR-7] a denial on the page may stop the turn', async () => {
  const pages = new LinkPages(openRecord(), { answers: ['deny'] });
  expect(await pages.text()).toContain('Also stop the agent’s turn');
  await pages.send([
    ['act', 'deny'],
    ['stop', 'yes'],
    ['reason', 'enough'],
  ]);
  expect(pages.answers).toEqual([
    { decision: 'deny', stop: true, reason: 'enough', inputDigest: DIGEST },
  ]);
});
