/**
 * The schema of refusals, and refusals made from failed schemas.
 *
 * Issues become sentences for a person: "at least 2 options" instead of "expected array to have >=2 items". For a union
 * only the option that matched furthest is explained. Messages written in a schema stay as they are.
 */
import * as z from './zod.ts';
import { type ErrorCode, ERRORS, type Rejection, reject } from '../errors.ts';
import { NOT_AN_INTERACTION_ID } from '../ids.ts';

export const ErrorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Error', description: 'Every refusal has this shape.' });

const UNKNOWN_FIELD = 'unknown field';

function isUnknownField({ message }: SchemaIssue): boolean {
  return message.startsWith(UNKNOWN_FIELD);
}

/** Lists the issues with readable paths, unknown fields first; the message is the first issue. */
export function schemaRejection(error: z.ZodError, code: ErrorCode = 'invalid_request'): Rejection {
  // A field that is not known is often the name of the missing one, written wrong.
  const all = plainIssues(error.issues);
  const found = [...all.filter(isUnknownField), ...all.filter((issue) => !isUnknownField(issue))];
  const [first] = found;
  if (first === undefined) return reject(code, 'This does not fit');
  const where = first.path === '' ? '' : `${first.path}: `;
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  const issues = found.slice(0, MAX_ISSUES).map(({ path, message }) => ({ path, message }));
  const isCut = found.length > MAX_ISSUES;
  return reject(code, `${where}${first.message}${more}`, {
    issues,
    ...(isCut && { total: found.length }),
  });
}

/** For a malformed id: `not_found`, with the problem where that helps. */
export function unknownId(error: z.ZodError): Rejection {
  const issues = plainIssues(error.issues).slice(0, MAX_ISSUES);
  const isInteraction = issues[0]?.message === NOT_AN_INTERACTION_ID;
  const message = isInteraction ? NOT_AN_INTERACTION_ID : NOT_AN_ID;
  return reject('not_found', message, { issues: issues.map((issue) => ({ ...issue })) });
}

const NOT_AN_ID =
  'No id has this form. Copy it again, whole, from the list or the link that it came from.';

type ZodIssue = z.core.$ZodIssue;

export interface SchemaIssue {
  /** Names joined by dots; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** A list of 20,000 problems helps no reader. */
const MAX_ISSUES = 50;
const MAX_NAMES = 8;
const MAX_SHOWN_CHARS = 60;

/** The beginnings of zod's own messages. */
const MADE_BY_ZOD = /^(?:Invalid|Too (?:small|big)|Unrecognized)/;

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const COUNTED: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  object: 'fields',
  set: 'items',
  map: 'fields',
};

export function plainIssues(issues: readonly ZodIssue[]): SchemaIssue[] {
  return issues.flatMap((issue) => explainIssue(issue, []));
}

function explainIssue(issue: ZodIssue, above: readonly PropertyKey[]): SchemaIssue[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return explainChoice(issue, path);
  if (issue.code === 'invalid_key' && MADE_BY_ZOD.test(issue.message)) {
    return [makeIssue(path, 'is not a name that is allowed here')];
  }
  if (issue.code === 'invalid_element')
    return issue.issues.flatMap((one) => explainIssue(one, path));
  return [makeIssue(path, sentence(issue, path))];
}

function makeIssue(path: readonly PropertyKey[], message: string): SchemaIssue {
  return { path: path.map((name) => cutName(String(name))).join('.'), message };
}

function explainChoice(
  { errors }: Extract<ZodIssue, { code: 'invalid_union' }>,
  path: readonly PropertyKey[],
): SchemaIssue[] {
  const found = errors.map((issues) => issues.flatMap((issue) => explainIssue(issue, path)));
  const [meant] = errors
    .map((issues, index) => ({ issues, index }))
    .filter(({ issues }) => !issues.some(isOfAnotherType))
    .toSorted((a, b) => a.issues.length - b.issues.length);
  if (meant !== undefined) return found[meant.index] ?? [];
  const here = makeIssue(path, '').path;
  const messages = found.flat().filter((one) => one.path === here);
  return [{ path: here, message: alternatives(messages.map(({ message }) => message)) }];
}

function isOfAnotherType(issue: ZodIssue): boolean {
  const isWhole = issue.path.length === 0;
  return isWhole && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

/** "use text" and "use a list" are one piece of advice. */
function alternatives(messages: readonly string[]): string {
  if (messages.includes(REQUIRED)) return REQUIRED;
  const wanted = messages.map((message) => message.replace(/^use /, '').replace(/, not .*$/, ''));
  return `use ${[...new Set(wanted)].join(' or ')}`;
}

const REQUIRED = 'is required';

function sentence(issue: ZodIssue, path: readonly PropertyKey[]): string {
  if (!MADE_BY_ZOD.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.message.endsWith('received undefined')) return REQUIRED;
      const expected = EXPECTED[issue.expected] ?? issue.expected;
      const received = / received (\w+)$/.exec(issue.message)?.[1] ?? '';
      const given = EXPECTED[received] ?? received;
      // A fraction is a number, too.
      const isAlike = expected === given || (issue.expected === 'int' && received === 'number');
      return given === '' || isAlike ? `use ${expected}` : `use ${expected}, not ${given}`;
    }
    case 'invalid_value':
      return `use ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_union':
      return `use ${optionsOf(issue).join(' or ') || 'one of the known forms'}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return bound(
        issue.inclusive === false ? 'more than' : 'at least',
        issue.minimum,
        issue,
        path,
      );
    case 'too_big':
      return bound(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue, path);
    case 'not_multiple_of':
      return `use a multiple of ${issue.divisor}`;
    case 'unrecognized_keys': {
      const names = issue.keys.slice(0, MAX_NAMES).map((name) => JSON.stringify(cutName(name)));
      const more =
        issue.keys.length > MAX_NAMES ? ` and ${issue.keys.length - MAX_NAMES} more` : '';
      return `${UNKNOWN_FIELD}${issue.keys.length > 1 ? 's' : ''} ${names.join(', ')}${more}`;
    }
    case 'invalid_format':
      return issue.format === 'regex'
        ? 'has characters or a form that is not allowed here'
        : `is not a valid ${issue.format}`;
    default:
      return 'does not fit';
  }
}

function optionsOf(issue: Extract<ZodIssue, { code: 'invalid_union' }>): string[] {
  const { options } = issue as { readonly options?: readonly unknown[] };
  return (options ?? []).map((option) => JSON.stringify(option));
}

/** The items of a list are called by its field name: at least 2 options. */
function bound(
  words: string,
  limit: number | bigint,
  { origin, exact }: { readonly origin: string; readonly exact?: boolean | undefined },
  path: readonly PropertyKey[],
): string {
  const name = path.at(-1);
  const unit = origin === 'array' && typeof name === 'string' ? cutName(name) : COUNTED[origin];
  const how = exact === true ? 'exactly' : words;
  if (unit === undefined) return `${how} ${limit}`;
  return `${how} ${limit} ${Number(limit) === 1 ? unit.replace(/s$/, '') : unit}`;
}

function cutName(name: string): string {
  return name.length > MAX_SHOWN_CHARS ? `${name.slice(0, MAX_SHOWN_CHARS)}…` : name;
}
