/** The files kept in the session: small texts under relative paths, which live as long as it does. */
import type { Json } from '../../protocol/json.ts';
import type { ModelTool } from '../model.ts';
import { PATH_CHARS } from './files/file-path.ts';

function pathOf(what: string): Json {
  const description = `${what}, such as “notes/today.md”: relative, with / and without “..”.`;
  return { type: 'string', minLength: 1, maxLength: PATH_CHARS, description };
}

const PATH = pathOf('The path of the file');

export const readFile: ModelTool = {
  name: 'Read',
  description:
    'Read a text file of this session. You get its lines with their numbers. Read a long file in parts.',
  inputSchema: {
    type: 'object',
    properties: {
      path: PATH,
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
};

export const writeFile: ModelTool = {
  name: 'Write',
  description:
    'Write a text file of this session, whole. A file of that path is replaced: read it first if you want to keep anything of it. Use Edit for a small change.',
  inputSchema: {
    type: 'object',
    properties: {
      path: PATH,
      content: { type: 'string', description: 'The whole text of the file.' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
};

export const editFile: ModelTool = {
  name: 'Edit',
  description:
    'Replace a piece of text in a file of this session. It has to be in the file exactly as you give it, and once only unless you replace all. Read the file first.',
  inputSchema: {
    type: 'object',
    properties: {
      path: PATH,
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
};

export const listFiles: ModelTool = {
  name: 'List',
  description: 'List the files of this session with their sizes.',
  inputSchema: {
    type: 'object',
    properties: { path: pathOf('A folder; everything if left out') },
    additionalProperties: false,
  },
};
