/** The chat as an installed application. Its id is stored by the browsers of people: another one is another application. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.ts';

it('[UI-10] opens on what waits, and stays the same application', () => {
  const text = readFileSync(path.join(ROOT, 'src/web/static/manifest.webmanifest'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ id: '/', start_url: '/inbox', display: 'standalone' });
});
