/**
 * No page, no screen and no comment runs or installs the package by its name.
 *
 * The name is registered nowhere: the day that a stranger registers it, such a line runs the stranger's code on the machine of
 * each reader, beside the key that the line above it sets.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, sourceFiles } from '../../scripts/lib/paths.ts';

const PAGES = ['deploy', 'docs', 'examples', 'scripts'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules')),
);
const FILES = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...PAGES,
  ...['src', 'scripts', 'examples'].flatMap((folder) => sourceFiles(ROOT, folder)),
];

/** Programs that fetch what they run, and lines that install: by the bare name, with or without a version. */
const BY_NAME =
  /\b(?:npx|bunx|npm (?:exec|x|i|install|add)|(?:pnpm|yarn) (?:dlx|add)|bun add)\b[^\n;&|]*?(?<=[\s'"`])holdpoint(?:@[\w.^~-]+)?(?=[\s'"`]|$)/gm;

function linesByName(text: string): string[] {
  return [...text.matchAll(BY_NAME)].map(([line]) => line);
}

it('[UI-15] nothing that is printed takes the package by its name from a registry', () => {
  const found = FILES.flatMap((file) =>
    linesByName(readFileSync(path.join(ROOT, file), 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

it.each(['npx holdpoint connect codex', 'npx -y holdpoint@latest', 'npm install zod holdpoint'])(
  'finds %s',
  (line) => expect(linesByName(`  ${line}\n`)).toHaveLength(1),
);

it.each([
  'npm run holdpoint -- connect codex',
  'npm install /home/ada/holdpoint/dist-package',
  'npm install <this repository>/dist-package',
  'npx vitest run && holdpoint doctor',
])('leaves %s', (line) => expect(linesByName(line)).toEqual([]));
