/**
 * docs/tasks.md and the stories in test/e2e agree. A bug here looks like a task on the page that nobody does in a browser, or a
 * feature that no story shows.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { readShown, readTasks } from '../support/task-table.ts';

const read = (pattern: string) =>
  globSync(pattern, { cwd: path.join(ROOT, 'test/e2e') }).map((file) =>
    readFileSync(path.join(ROOT, 'test/e2e', file), 'utf8'),
  );
const STORIES = read('**/*.story.ts');
const TASKS = readTasks();
const TASK_STORIES = read('tasks/*.story.ts').flatMap((text) =>
  [...text.matchAll(/^task\('([^']+)'/gm)].map(([, title]) => title),
);

describe('docs/tasks.md', () => {
  it('has twenty tasks, each with a count and with one story', () => {
    expect(TASKS).toHaveLength(20);
    for (const { title, presses } of TASKS) expect(presses, title).toBeGreaterThan(0);
    expect(new Set(TASK_STORIES)).toEqual(new Set(TASKS.map(({ title }) => title)));
    expect(TASK_STORIES).toHaveLength(TASKS.length);
  });

  it.each(readShown())('names stories that exist for: $what', ({ stories }) => {
    expect(stories).not.toEqual([]);
    const missing = stories.filter(
      (title) => !STORIES.some((text) => text.includes(title)) && !TASK_STORIES.includes(title),
    );
    expect(missing).toEqual([]);
  });
});
