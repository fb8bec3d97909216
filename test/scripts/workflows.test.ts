/** A bug here looks like a tag of an action that somebody moved, and that runs with the right to publish. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';

const FOLDER = path.join(ROOT, '.github/workflows');

it('every action of a workflow is named by its commit, with the version beside it', () => {
  const used = readdirSync(FOLDER).flatMap((name) =>
    [...readFileSync(path.join(FOLDER, name), 'utf8').matchAll(/uses: *(.*)/g)].map(
      ([, action]) => action,
    ),
  );
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
