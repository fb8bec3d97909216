/** What an operation takes besides its body: path, query and headers. */
import { LIMITS } from '../../protocol/limits.ts';
import type { Route } from '../route.ts';
import type { Parameter, Schema } from './document.ts';
import type { Extra } from './extras.ts';
import type { SchemaRegistry } from './schema-registry.ts';

interface Words {
  readonly description: string;
  readonly example?: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  id: { description: 'The session.', example: 'ses_example' },
  iid: { description: 'The interaction.', example: 'call_1~1' },
  ruleId: { description: 'The rule.', example: 'rule_example' },
  tokenId: { description: 'The token.', example: 'tok_example' },
  keyId: { description: 'The key.', example: 'key_example' },
  limit: { description: `How many at most; ${LIMITS.pageDefault} if left out.` },
  after: {
    description: 'Only what comes after: a `seq` of the log, or the `next` of the page before.',
  },
  before: { description: 'Only what comes before: the `next` of the page before.' },
  wait: {
    description: `Waits up to so many seconds for the outcome, ${LIMITS.waitSeconds} at most.`,
  },
  status: { description: 'Which ones; `open` if left out.' },
};

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat: for 24 hours a repeat gets the first answer again.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,128}$' },
  example: 'release-2-4-publish',
};

export function describeParameters(
  route: Route,
  extra: Extra,
  book: SchemaRegistry,
): readonly Parameter[] {
  return [
    ...listed(route.params && book.write(route.params, 'input'), 'path'),
    ...listed(route.query && book.write(route.query, 'input'), 'query'),
    ...(route.idempotent === true ? [IDEMPOTENCY_KEY] : []),
    ...(extra.headers ?? []),
  ];
}

function listed(object: Schema | undefined, place: 'path' | 'query'): readonly Parameter[] {
  return Object.entries(object?.properties ?? {}).map(([name, schema]) => {
    return {
      name,
      in: place,
      required: place === 'path' || object?.required?.includes(name) === true,
      ...WORDS[name],
      schema: schema as Schema,
    };
  });
}
