/** The tables of docs/tasks.md: what a team does, in how many presses, and which stories show the rest. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';

const PAGE = path.join(ROOT, 'docs/tasks.md');

export interface TaskRow {
  readonly title: string;
  readonly presses: number;
}

/** What a team expects, and the titles of the stories that show it. */
export interface ShownRow {
  readonly what: string;
  readonly stories: readonly string[];
}

export function readTasks(): readonly TaskRow[] {
  return rowsUnder('## The tasks').map(([, title = '', , presses = '']) => ({
    title,
    presses: Number(presses),
  }));
}

export function readShown(): readonly ShownRow[] {
  return rowsUnder('## What else is shown').map(([what = '', stories = '']) => ({
    what,
    stories: [...stories.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
  }));
}

/** The cells of each row of the table below a heading. */
function rowsUnder(heading: string): string[][] {
  const [, part = ''] = readFileSync(PAGE, 'utf8').split(`${heading}\n`);
  const [text = ''] = part.split('\n## ');
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  // The first two are the head and the line below it.
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}
