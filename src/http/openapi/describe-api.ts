/**
 * The routes as an OpenAPI 3.1 document.
 *
 * Everything about one operation comes from its route; this folder adds what all routes share.
 */
import { ERRORS } from '../../protocol/errors.ts';
import { Scope } from '../../protocol/schema/actor.ts';
import { SessionEventSchema } from '../../protocol/schema/event.ts';
import { isListed, type HttpRoute, type Access, type ListedHttpRoute } from '../route.ts';
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../protocol/frames.ts';
import type { Json } from '../../protocol/json.ts';
import type { OpenApiDocument, Operation, Parameter, Schema } from './document.ts';
import { guideAsMarkdown, SUMMARY } from './guide.ts';
import {
  describeCommonResponses,
  describeResponses,
  createSchemaRegistry,
  type SchemaRegistry,
} from './describe-responses.ts';

export type { OpenApiDocument } from './document.ts';

export function describeApi(routes: readonly HttpRoute[], version: string): OpenApiDocument {
  const book = createSchemaRegistry();
  const listed = routes.filter(isListed);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of listed) {
    const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, book) };
  }
  book.write(SessionEventSchema, 'output');
  const responses = describeCommonResponses(book);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdpoint',
      version,
      summary: SUMMARY,
      description: guideAsMarkdown(),
      contact: { name: 'The operator of this deployment' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    security: [{ bearer: [] }],
    tags: [...new Set(listed.map(({ tag }) => tag))],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `A key or a token. Its scopes are some of ${Scope.options.join(', ')}.`,
        },
      },
      responses,
      schemas: sortByKey(book.components),
    },
    'x-errors': ERRORS,
  };
}

function sortByKey<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** One route as one operation of the document. */
function describeOperation(route: ListedHttpRoute, book: SchemaRegistry): Operation {
  const scopes = describeScopes(route.access);
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
  // OpenAPI 3.1 describes bytes by their media type alone.
  if (route.bodyIsBytes === true) return { required: true, content: { '*/*': {} } };
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

function describeScopes(access: Access): readonly string[] {
  if (access === 'public') return [];
  return access.anyOf.length === 0 ? ['admin'] : access.anyOf;
}

function scopeSentence(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'Needs no credential.';
  const named = scopes.map((scope) => `\`${scope}\``).join(' or ');
  return `Needs the scope ${named}${scopes.includes('admin') ? '' : '; `admin` is always enough'}.`;
}

/** Examples for known field names. */
const EXAMPLES: Readonly<Record<string, Json>> = {
  answers: { '0': 'Staging' },
  answer: { decision: 'approve' },
  id: 'ses_example',
  endpoint: 'https://push.example.com/one',
  email: 'ana@example.com',
  p256dh: 'B'.padEnd(87, 'A'),
  auth: 'A'.repeat(22),
  input: { command: 'npm publish' },
  interactionId: 'call_1~1',
  name: 'deploy-bot',
  scopes: ['read', 'answer'],
  text: 'Use the staging cluster.',
  timeouts: { approval: 600 },
  title: 'Release 2.4',
  toolCallId: 'call_1',
  toolName: 'Bash',
  reason: 'No longer needed',
  provider: 'claude-code',
  cliSessionId: '0f8d1c6a',
  prefixDigest: '',
};

type Lookup = (reference: string) => Schema;

/**
 * A small valid body, made from its schema: the required fields and nothing else, each as its own example where it has one.
 * A test checks every example against its schema.
 */
function makeExample(schema: Schema, lookup: Lookup): Json {
  if (schema.$ref !== undefined) return makeExample(lookup(schema.$ref), lookup);
  if (schema.example !== undefined) return schema.example as Json;
  const variant = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (variant !== undefined) return makeExample(variant, lookup);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'object') return exampleObject(schema, lookup);
  if (type === 'array') {
    return isSchema(schema.items) ? [makeExample(schema.items, lookup)] : [];
  }
  if (type === 'boolean') return true;
  if (type === 'string') return 'text';
  if (type === 'null') return null;
  return schema.minimum ?? 1;
}

/** Where no field is required, the example has the first field. */
function exampleObject(schema: Schema, lookup: Lookup): Json {
  const properties = schema.properties ?? {};
  const first = Object.keys(properties).slice(0, 1);
  const names = schema.required === undefined ? first : schema.required;
  return Object.fromEntries(
    names.map((name) => {
      const property = properties[name];
      const fixed = isSchema(property) && property.const !== undefined;
      const example = fixed ? undefined : EXAMPLES[name];
      return [name, example ?? (isSchema(property) ? makeExample(property, lookup) : {})];
    }),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
