/** What the server refuses, in German. A sentence that the server no longer says would be a translation of nothing. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from '../../../scripts/lib/paths.ts';
import { ClientError } from '../../../src/client/errors.ts';
import { checkFormValues } from '../../../src/core/forms/check-form.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { FormSchema } from '../../../src/protocol/schema/kinds/form.ts';
import { GERMAN, GERMAN_PARTS } from '../../../src/web/languages/de.ts';
import { GERMAN_ERRORS } from '../../../src/web/languages/de/errors.ts';
import { failureText } from '../../../src/web/model/failure.ts';
import { ENGLISH, serverText, setLanguage } from '../../../src/web/model/language.ts';

afterEach(() => setLanguage(ENGLISH));

const refused = (code: ClientError['code'], message: string) =>
  failureText(new ClientError({ code, message, status: 409, retry: 'never' }));

it('[UI-17] has each German text once', () => {
  const keys = GERMAN_PARTS.flatMap((part) => Object.keys(part));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

it('[UI-17] leaves the sentences of the server as they are in English', () => {
  expect(refused('not_undoable', 'The agent has this decision already')).toBe(
    'The agent has this decision already',
  );
});

describe('[UI-17] in German', () => {
  beforeEach(() => setLanguage({ locale: 'de', direction: 'ltr', ...GERMAN }));

  it('a refusal is said by its sentence, else by its code', () => {
    expect(refused('not_undoable', 'The agent has this decision already')).toBe(
      'Der Agent hat diese Entscheidung schon.',
    );
    expect(refused('not_undoable', 'A sentence of a newer server')).toBe(
      'Diese Entscheidung lässt sich nicht mehr zurücknehmen.',
    );
    expect(serverText('A sentence', 'a_code_of_a_newer_server')).toBe('A sentence');
    expect(serverText('constructor', 'constructor')).toBe('constructor');
  });

  it('names and numbers in a sentence stay', () => {
    expect(
      serverText('This request is for $& and $1; one of them or an administrator may answer it'),
    ).toContain('Diese Anfrage ist für $& and $1; ');
    expect(serverText('Write at most 10000 characters.')).toBe('Schreib höchstens 10000 Zeichen.');
  });

  it.each<[JsonObject, JsonObject[string]]>([
    [{ type: 'string' }, 5],
    [{ type: 'string', maxLength: 1 }, 'ab'],
    [{ type: 'string', minLength: 3 }, 'ab'],
    [{ type: 'string', enum: ['a'] }, 'b'],
    [{ type: 'string', pattern: '^a$' }, 'b'],
    [{ type: 'string', pattern: '^a$', examples: ['a'] }, 'b'],
    [{ type: 'string', pattern: '^[ac]$', examples: ['a', 'c'] }, 'b'],
    [{ type: 'string', pattern: '^a$', description: 'An a.' }, 'b'],
    [{ type: 'string', format: 'email' }, 'b'],
    [{ type: 'string', format: 'uri' }, 'b'],
    [{ type: 'string', format: 'date' }, 'b'],
    [{ type: 'string', format: 'date-time' }, 'b'],
    [{ type: 'number' }, 'b'],
    [{ type: 'integer' }, 0.5],
    [{ type: 'number', minimum: 1 }, 0],
    [{ type: 'number', maximum: 1 }, 2],
    [{ type: 'number', exclusiveMinimum: 1 }, 1],
    [{ type: 'number', exclusiveMaximum: 1 }, 1],
    [{ type: 'boolean' }, 1],
    [{ type: 'array', items: { enum: ['a'] } }, 'a'],
    [{ type: 'array', items: { enum: ['a'] } }, ['b']],
    [{ type: 'array', items: { enum: ['a'] } }, ['a', 'a']],
    [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 }, ['a']],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b']],
  ])('[FORM-1] the error of a field is German: %j given %j', (field, value) => {
    const schema = FormSchema.parse({ type: 'object', properties: { field } });
    const checked = checkFormValues(schema, { field: value });
    const problem = checked.ok ? '' : (checked.fieldErrors['field'] ?? '');
    expect(problem).not.toBe('');
    expect(serverText(problem)).not.toBe(problem);
  });

  it('every sentence is one that the server says', () => {
    const rooms = ['core', 'http', 'session', 'workspace', 'protocol'];
    const sources = rooms
      .flatMap((room) => sourceFiles(ROOT, `src/${room}`))
      .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
      .join('\n');
    const unsaid = Object.keys(GERMAN_ERRORS.messages).filter((one) => !sources.includes(one));
    expect(unsaid).toEqual([]);
  });
});
