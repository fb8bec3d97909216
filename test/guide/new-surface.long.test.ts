/**
 * docs/new-surface.md, followed as it is written, in a copy of the sources. A bug would look like a newcomer whose
 * surface compiles, and whose targets cannot be made, changed or listed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { judge, readCitations, readRules } from '../../scripts/lib/rule-book.ts';
import { filesIn, tableUnder } from './guide.ts';
import { Tree } from './tree.ts';

const GUIDE = readFileSync(path.join(ROOT, 'docs/new-surface.md'), 'utf8');
const TEST = 'test/delivery/surfaces/pager.test.ts';
const SCHEMAS = 'src/protocol/schema/surfaces/index.ts';
/** In the list of the surfaces that administrators make targets of. */
const REGISTERED = ' PAGER,';
const RULES = 'src/delivery/surfaces/surface-settings.ts';
const SURFACES = 'src/delivery/surfaces/index.ts';
const SETTINGS = {
  type: 'pager',
  pageUrl: 'https://pager.example.com/pages',
  pageToken: 'a-token-of-the-pager',
};

const files = filesIn(GUIDE);
// These use what the page changes, on the way from a request of an administrator to an attempt.
const sources = [
  ...files.map((file) => file.path),
  'src/workspace/targets.ts',
  'src/delivery/target.ts',
];
const trees: Tree[] = [];
afterAll(() => trees.forEach((tree) => tree.remove()));

function followed(): Tree {
  const tree = new Tree();
  trees.push(tree);
  for (const file of files) tree.follow(file);
  return tree;
}

function without(tree: Tree, file: string, line: string): void {
  const text = tree.read(file);
  expect(text.split(line)).toHaveLength(2);
  writeFileSync(path.join(tree.folder, file), text.replace(line, ''));
}

const whole = followed();
// The test that the guide's reader writes runs as a part of these.
await whole.load(TEST);

describe('the files', () => {
  it('are those that the page lists, in its order', () => {
    const listed = tableUnder(GUIDE, '| step | file |').map(([step, file]) => [Number(step), file]);
    expect(files.map(({ step, path: file }) => [step, file])).toEqual(listed);
  });

  it('type-check as the projects check theirs', { timeout: 120_000 }, async () => {
    expect(await whole.typeErrors(sources)).toBe('');
  });

  it('have a test for the rule', () => {
    const { rules, errors } = readRules(whole.read('docs/behaviour.md'));
    const added = rules.filter(({ address }) => address.startsWith('PAGER-'));
    expect(errors).toEqual([]);
    expect(added).toHaveLength(1);
    expect(judge(added, readCitations(TEST, whole.read(TEST))).errors).toEqual([]);
  });
});

describe('without one registration', () => {
  it.each([
    ['SCHEMAS', SCHEMAS, REGISTERED, `"pager"' does not satisfy`],
    ['RULES', RULES, '  pager: pagerSettings,\n', "Property 'pager' is missing"],
    ['SURFACES', SURFACES, '  pager: pagerSurface,\n', "Property 'pager' is missing"],
  ])('%s, the types do not fit', { timeout: 240_000 }, async (_name, file, line, error) => {
    const tree = followed();
    without(tree, file, line);
    expect(await tree.typeErrors(sources)).toContain(error);
  });

  it('of its schemas, targets are not made, changed or listed', { timeout: 240_000 }, async () => {
    const tree = followed();
    without(tree, SCHEMAS, REGISTERED);
    const listed = {
      id: 'tgt_1',
      type: SETTINGS.type,
      pageUrl: SETTINGS.pageUrl,
      events: ['*'],
      createdAt: 1,
      createdBy: 'mia',
      disabledAt: null,
    };
    type Schemas = typeof import('../../src/protocol/schema/target.ts');
    const take = async (from: Tree) => {
      const schemas = await from.load<Schemas>('src/protocol/schema/target.ts');
      return [
        schemas.CreateTarget.safeParse(SETTINGS).success,
        schemas.UpdateTarget.safeParse({ pageToken: SETTINGS.pageToken }).success,
        schemas.TargetView.safeParse(listed).success,
      ];
    };
    expect(await take(whole)).toEqual([true, true, true]);
    expect(await take(tree)).toEqual([false, false, false]);
  });
});
