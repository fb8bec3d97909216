/** Bold marks of Markdown, where text is shown as text. A bug looks like a power or a path that loses its stars. */
import { expect, it } from 'vitest';
import { withoutBold } from '../../../src/web/model/without-bold.ts';

it.each([
  ['**Step 5** of 9', 'Step 5 of 9'],
  ['do it (**before** noon)', 'do it (before noon)'],
  ['all of **it**', 'all of it'],
  ['2**3**4', '2**3**4'],
  ['src/**/*.ts and lib/**/*.ts', 'src/**/*.ts and lib/**/*.ts'],
  ['** none **', '** none **'],
  ['**open', '**open'],
  ['a __init__.py of b', 'a __init__.py of b'],
])('[UI-11] %s is shown as %s', (text, shown) => {
  expect(withoutBold(text)).toBe(shown);
});
