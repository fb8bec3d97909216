/**
 * The schemas of the file tools, as the model receives them.
 *
 * A bug here looks like a schema that allows an input which the tool refuses.
 */
import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_TOOLS } from '../../../src/agent/tools/registry.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

const path = {
  type: 'string',
  minLength: 1,
  maxLength: 500,
  description: 'The path of the file, such as “notes/today.md”: relative, with / and without “..”.',
};

const SCHEMAS = {
  Read: {
    type: 'object',
    properties: {
      path,
      offset: {
        type: 'integer',
        minimum: 1,
        description: 'The first line to read; 1 if left out.',
      },
      limit: { type: 'integer', minimum: 1, description: 'How many lines to read at most.' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  Write: {
    type: 'object',
    properties: {
      path,
      content: { type: 'string', description: 'The whole text of the file.' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  Edit: {
    type: 'object',
    properties: {
      path,
      oldText: {
        type: 'string',
        minLength: 1,
        description:
          'What is there now, letter for letter, with enough around it to be found once.',
      },
      newText: { type: 'string', description: 'What is to be there instead.' },
      replaceAll: { type: 'boolean', default: false, description: 'Replace it wherever it is.' },
    },
    required: ['path', 'oldText', 'newText'],
    additionalProperties: false,
  },
  List: {
    type: 'object',
    properties: {
      path: {
        ...path,
        description:
          'A folder; everything if left out, such as “notes/today.md”: relative, with / and without “..”.',
      },
    },
    additionalProperties: false,
  },
};

describe.each(Object.entries(SCHEMAS))('%s', (name, schema) => {
  it('has the schema that the model is sent', () => {
    const tool = BUILT_IN_TOOLS.find((one) => one.name === name);
    expect(JSON.parse(JSON.stringify(tool?.inputSchema))).toEqual(schema);
  });
});

it.each([
  ['Read', { path: 'a.md' }, true],
  ['Read', { path: 'a.md', offset: 0 }, false],
  ['Read', { path: 'a.md', limit: 1.5 }, false],
  ['Read', { path: '' }, false],
  ['Write', { path: 'b.md', content: '' }, true],
  ['Write', { path: 'b.md' }, false],
  ['Edit', { path: 'a.md', oldText: 'One', newText: 'Two' }, true],
  ['Edit', { path: 'a.md', oldText: '', newText: 'Two' }, false],
  ['Edit', { path: 'a.md', oldText: 'One', newText: 'Two', all: true }, false],
  ['List', {}, true],
  ['List', { path: 'x'.repeat(501) }, false],
])('%s takes %j by its schema as by its code', (name, input, isTaken) => {
  const tool = BUILT_IN_TOOLS.find((one) => one.name === name);
  const { valid } = new Validator({ ...tool?.inputSchema }, '2020-12').validate(input);
  const { isError } = new MemoryFiles({ 'a.md': 'One' }).run(name, input);
  expect([valid, !isError]).toEqual([isTaken, isTaken]);
});
