/** Text that a person types is written in the direction of its own words: each field says so, or that it takes code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';
import { ROOT, sourceFiles } from '../../scripts/lib/paths.ts';

interface Field {
  readonly at: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly hasSpread: boolean;
}

const fields = sourceFiles(ROOT, 'src/web')
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) => fieldsIn(file, readFileSync(path.join(ROOT, file), 'utf8')));

function fieldsIn(file: string, source: string): Field[] {
  const found: Field[] = [];
  new Visitor({
    JSXOpeningElement({ name, attributes, start }) {
      if (name.type !== 'JSXIdentifier' || !['input', 'textarea'].includes(name.name)) return;
      found.push({
        at: `${file}:${source.slice(0, start).split('\n').length}`,
        attributes: new Map(attributes.flatMap((one) => attributeIn(one, source))),
        hasSpread: attributes.some(({ type }) => type === 'JSXSpreadAttribute'),
      });
    },
  }).visit(parseSync(file, source).program);
  return found;
}

function attributeIn(
  attribute: ESTree.JSXAttributeItem,
  source: string,
): readonly (readonly [string, string])[] {
  if (attribute.type !== 'JSXAttribute' || attribute.name.type !== 'JSXIdentifier') return [];
  const { name, value } = attribute;
  return [[name.name, value === null ? '' : source.slice(value.start, value.end)]];
}

/** Their content has a form of its own. */
const OTHER_TYPES = /checkbox|radio|password|date|number|file|isMany|type\}|input\.as/;

it('[UI-17] is the direction of every field for text', () => {
  expect(fields.length).toBeGreaterThan(30);
  const wrong = fields.filter(({ attributes, hasSpread }) => {
    if (OTHER_TYPES.test(attributes.get('type') ?? '')) return false;
    if (attributes.has('dir') || attributes.has('readOnly')) return false;
    return !hasSpread && attributes.get('class') !== '"code-field"';
  });
  expect(wrong.map(({ at }) => at)).toEqual([]);
});
