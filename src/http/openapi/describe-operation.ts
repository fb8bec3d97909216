/** One route as one operation of the document. */
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../protocol/frames.ts';
import type { Access, ListedHttpRoute } from '../route.ts';
import type { Operation, Parameter, Schema } from './document.ts';
import { makeExample } from './make-example.ts';
import { describeResponses } from './describe-responses.ts';
import type { SchemaRegistry } from './schema-registry.ts';

export function describeOperation(route: ListedHttpRoute, book: SchemaRegistry): Operation {
  const scopes = scopesOf(route.access);
  const parameters = describeParameters(route, book);
  const body = describeBody(route, book);
  return {
    operationId: route.operationId,
    tags: [route.tag.name],
    summary: route.summary,
    description: [route.description, scopeSentence(scopes)].filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: describeResponses(route, book),
    ...(route.access === 'public' && { security: [] as const }),
    'x-scopes': scopes,
    ...(route.socket && {
      'x-websocket': {
        subprotocols: [PROTOCOL, `${TOKEN_SUBPROTOCOL}<token>`],
        ...(route.socket.sends && { sends: book.write(route.socket.sends, 'input') }),
        receives: book.write(route.socket.receives, 'output'),
      },
    }),
  };
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat: for 24 hours a repeat gets the first answer again.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,128}$' },
  example: 'release-2-4-publish',
};

function describeParameters(route: ListedHttpRoute, book: SchemaRegistry): readonly Parameter[] {
  const headers = route.headers ?? [];
  return [
    ...parametersIn(route.params && book.write(route.params, 'input'), 'path'),
    ...parametersIn(route.query && book.write(route.query, 'input'), 'query'),
    ...(route.idempotent === true ? [IDEMPOTENCY_KEY] : []),
    ...headers.map(({ name, ...described }): Parameter => {
      return { name, in: 'header', required: false, ...described };
    }),
  ];
}

/** The schema of a parameter has its description; OpenAPI wants the description beside the schema. */
function parametersIn(object: Schema | undefined, place: 'path' | 'query'): Parameter[] {
  return Object.entries(object?.properties ?? {}).map(([name, written]) => {
    const { description, example, ...schema } = written as Schema;
    return {
      name,
      in: place,
      required: place === 'path' || object?.required?.includes(name) === true,
      ...(description !== undefined && { description }),
      ...(typeof example === 'string' && { example }),
      schema,
    };
  });
}

function describeBody(route: ListedHttpRoute, book: SchemaRegistry): Operation['requestBody'] {
  const shown = route.documentedBody ?? route.body;
  if (shown === undefined) return undefined;
  const schema = book.write(shown, 'input');
  const lookup = (reference: string): Schema =>
    book.components[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
  return {
    required: route.bodyOptional !== true,
    content: { 'application/json': { schema, example: makeExample(schema, lookup) } },
  };
}

function scopesOf(access: Access): readonly string[] {
  if (access === 'public') return [];
  return access.anyOf.length === 0 ? ['admin'] : access.anyOf;
}

function scopeSentence(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'Needs no credential.';
  const named = scopes.map((scope) => `\`${scope}\``).join(' or ');
  return `Needs the scope ${named}${scopes.includes('admin') ? '' : '; `admin` is always enough'}.`;
}
