/** The stylesheets keep to the tokens: what drifts from them one rule at a time looks unfinished in the end. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';

const SIZES = new Set(['s', 'm', 'l', 'xl', 'code'].map((size) => `var(--text-${size})`));
const WEIGHTS = new Set(['var(--regular)', 'var(--strong)']);
/** Left and right of the reader, who may read from right to left. */
const PHYSICAL =
  /^(?:(?:margin|padding|border)-(?:left|right)(?:-\w+)?|left|right|border-(?:top|bottom)-(?:left|right)-radius)$/;

const files = readdirSync(path.join(ROOT, 'src/web'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => `src/web/${name.replaceAll(path.sep, '/')}`);

interface Declaration {
  readonly at: string;
  readonly name: string;
  readonly value: string;
}

const declarations: readonly Declaration[] = files.flatMap((file) =>
  readFileSync(path.join(ROOT, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    // A long value goes on in the next line.
    .replaceAll(/(:[^;{}]*)\n\s+([^;{}]*;)/g, '$1 $2\n')
    .split('\n')
    .flatMap((line, at) => {
      const found = /^\s*([a-z-]+):\s*([^;]+);/.exec(line);
      return found === null
        ? []
        : [{ at: `${file}:${at + 1}`, name: found[1] ?? '', value: found[2] ?? '' }];
    }),
);

/** `0 max(1px, 2px)` has two. */
function partsOf(value: string): string[] {
  let depth = 0;
  const marked = [...value].map((sign) => {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    return depth > 0 && sign === ' ' ? '_' : sign;
  });
  return marked.join('').split(/\s+/);
}

function faults(isWrong: (one: Declaration) => boolean): string[] {
  return declarations.filter(isWrong).map(({ at, name, value }) => `${at}  ${name}: ${value}`);
}

describe('[UI-20] every stylesheet', () => {
  it('is read', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(declarations.length).toBeGreaterThan(1_000);
  });

  it('has four sizes of text, and that of code', () => {
    const wrong = ({ name, value }: Declaration) =>
      name === 'font-size' && !SIZES.has(value) && value !== 'inherit';
    expect(faults(wrong)).toEqual([]);
  });

  it('has two weights', () => {
    const wrong = ({ name, value }: Declaration) =>
      name === 'font-weight' && !WEIGHTS.has(value) && value !== 'inherit';
    expect(faults(wrong)).toEqual([]);
  });

  it('has colors from the tokens alone', () => {
    const wrong = ({ at, name, value }: Declaration) =>
      !/tokens|contrast/.test(at) &&
      /^(?:color|background(?:-color)?|border(?:-\w+)*-color)$/.test(name) &&
      /#[0-9a-f]{3}/i.test(value);
    expect(faults(wrong)).toEqual([]);
  });

  it('gives both sides of a reader the same in a value for four sides', () => {
    const wrong = ({ name, value }: Declaration) => {
      if (!/^(?:padding|margin|inset|border-width|border-radius)$/.test(name)) return false;
      const [first, second, third, fourth] = partsOf(value);
      if (fourth === undefined) return false;
      // The corners begin at the top left, the sides at the top. What a phone covers is left or right of the device.
      const isSame = (one = '', other = '') => one.replace('safe-right', 'safe-left') === other;
      return name === 'border-radius'
        ? !(isSame(first, second) && isSame(third, fourth))
        : !isSame(second, fourth);
    };
    expect(faults(wrong)).toEqual([]);
  });

  it('takes what a phone covers from the tokens alone', () => {
    const wrong = ({ at, value }: Declaration) =>
      value.includes('safe-area-inset') && !at.includes('tokens.css');
    expect(faults(wrong)).toEqual([]);
  });

  it('names no left and no right', () => {
    const wrong = ({ name, value }: Declaration) =>
      PHYSICAL.test(name) || (name === 'text-align' && /left|right/.test(value));
    expect(faults(wrong)).toEqual([]);
  });
});
