/**
 * The recipe "A new event" of CONTRIBUTING.md, tried in a copy of the sources. A bug would look like a newcomer whose
 * event compiles at once, and is missing from the timeline, the stream of a message or the announcements.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { Tree } from './tree.ts';

const EVENTS = 'src/protocol/schema/event.ts';
const recipes = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const recipe = recipes.split('**A new event.**')[1]?.split('\n\n')[0] ?? '';
const listed =
  /then names each fold that must\s+list it: ([^.]+(?:\.ts`[^.]*)+)\./.exec(recipe)?.[1] ?? '';
const named = [...listed.matchAll(/`(src\/[^`]+)`/g)].map(([, file]) => file ?? '');

// Together they load every room in which events are folded.
const ENTRIES = ['src/session/session.ts', 'src/http/app.ts', 'src/client/index.ts'];

const tree = new Tree();
afterAll(() => tree.remove());

it('the type checker names the folds that the recipe names, and no other file', async () => {
  const folds = [...ENTRIES, ...named];
  expect(await tree.typeErrors(folds)).toBe('');
  const before = tree.read(EVENTS);
  const after = before.replace(
    '  context_cleared: z.strictObject(',
    '  note_added: z.strictObject({ text: z.string() }),\n$&',
  );
  expect(after).not.toBe(before);
  writeFileSync(path.join(tree.folder, EVENTS), after);
  const errors = await tree.typeErrors(folds);
  const files = [...errors.matchAll(/^\S*?(src\/[^(\s]+)\(/gm)].map(([, file]) => file ?? '');
  expect([...new Set(files)].toSorted()).toEqual(named.toSorted());
  expect(named).not.toEqual([]);
}, 120_000);
