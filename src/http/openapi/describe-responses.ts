/**
 * The responses of an operation: its own, and the rejections that all routes of its form share.
 *
 * A rejection always has the schema `Error`. Shared rejections are components of the document, and
 * operations refer to them; where a route adds codes to a status, the operation lists all of them.
 */
import * as z from '../../protocol/schema/zod.ts';
import { type ErrorCode, ERRORS } from '../../protocol/errors.ts';
import { ErrorBody } from '../../protocol/schema/rejection.ts';
import type { HttpRoute } from '../route.ts';
import { QUERY_FORMS } from '../routes/params.ts';
import type {
  Media,
  OperationResponse,
  ResponseHeader,
  ResponseReference,
  Schema,
} from './document.ts';

const QUERY_SCHEMAS = z.registry<Schema>();
for (const [schema, form] of QUERY_FORMS) QUERY_SCHEMAS.add(z.builtSchema(schema), form);

const COMMON_CODES: Readonly<Record<string, readonly ErrorCode[]>> = {
  BadQuery: ['invalid_request'],
  BadRequest: ['invalid_request', 'invalid_json'],
  Unauthenticated: ['unauthenticated'],
  Forbidden: ['forbidden'],
  NotFound: ['not_found'],
  TooSlow: ['too_slow'],
  TooLarge: ['too_large'],
  UnsupportedMedia: ['unsupported_media_type'],
  KeyReused: ['idempotency_key_reused'],
  TooMany: ['rate_limited'],
  Failed: ['internal', 'not_configured'],
  Unavailable: ['unavailable', 'write_failed'],
};

const RETRY_AFTER: Record<string, ResponseHeader> = {
  'Retry-After': {
    description: 'Seconds to wait, where it is known.',
    schema: { type: 'integer' },
  },
};
const HEADERS_BY_STATUS: Readonly<Record<number, Record<string, ResponseHeader>>> = {
  401: { 'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

const REPLAYED_HEADER: Record<string, ResponseHeader> = {
  'Idempotency-Replayed': {
    description: 'Present when this is the answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
};

export function describeCommonResponses(book: SchemaRegistry): Record<string, OperationResponse> {
  return Object.fromEntries(
    Object.entries(COMMON_CODES).map(([name, codes]) => [
      name,
      describeRefusal(statusOfCommon(name), codes, book),
    ]),
  );
}

export function describeResponses(
  route: HttpRoute,
  book: SchemaRegistry,
): Record<string, OperationResponse | ResponseReference> {
  const responses: Record<string, OperationResponse | ResponseReference> = {};
  const names = commonNamesOf(route);
  const statuses = [
    ...Object.keys(route.responses).map(Number),
    ...names.map(statusOfCommon),
    ...(route.errorCodes ?? []).map((code) => ERRORS[code].status),
  ];
  for (const status of new Set(statuses.toSorted((a, b) => a - b))) {
    const common = names.find((name) => statusOfCommon(name) === status);
    const own = (route.errorCodes ?? []).filter((code) => ERRORS[code].status === status);
    const answer = route.responses[status];
    if (status < 400) responses[status] = describeSuccess(route, status, book);
    else if (common !== undefined && answer === undefined && own.length === 0) {
      responses[status] = { $ref: `#/components/responses/${common}` };
    } else {
      const codes = [...own, ...(common === undefined ? [] : (COMMON_CODES[common] ?? []))];
      responses[status] = describeRefusal(status, codes, book, answer?.description);
    }
  }
  return responses;
}

function commonNamesOf(route: HttpRoute): readonly string[] {
  const isPublic = route.access === 'public';
  const hasBody = route.body !== undefined;
  return [
    hasBody ? 'BadRequest' : 'BadQuery',
    ...(isPublic ? [] : ['Unauthenticated', 'Forbidden', 'TooMany', 'Unavailable']),
    ...(route.params === undefined ? [] : ['NotFound']),
    ...(hasBody ? ['TooSlow', 'TooLarge', 'UnsupportedMedia'] : []),
    ...(route.idempotent === true ? ['KeyReused'] : []),
    'Failed',
  ];
}

function statusOfCommon(name: string): number {
  const code = COMMON_CODES[name]?.[0];
  return code === undefined ? 500 : ERRORS[code].status;
}

function describeSuccess(
  route: HttpRoute,
  status: number,
  book: SchemaRegistry,
): OperationResponse {
  const answer = route.responses[status];
  const schema: Schema | undefined = answer?.schema && book.write(answer.schema, 'output');
  const content: Record<string, Media> = {
    ...(schema && { 'application/json': { schema } }),
    ...(status === 200 && textMedia(route.media)),
  };
  return {
    description: answer?.description ?? '',
    ...(route.idempotent === true && { headers: REPLAYED_HEADER }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function textMedia(media: HttpRoute['media'] = {}): Record<string, Media> {
  const described = Object.entries(media).map(
    ([type, description]) => [type, { schema: { type: 'string', description } }] as const,
  );
  return Object.fromEntries(described);
}

function describeRefusal(
  status: number,
  codes: readonly ErrorCode[],
  book: SchemaRegistry,
  own?: string,
): OperationResponse {
  const meanings = codes.map((code) => `- \`${code}\`: ${ERRORS[code].meaning}`);
  const headers = HEADERS_BY_STATUS[status];
  return {
    description: [...(own === undefined ? [] : [`${own}.\n`]), ...meanings].join('\n'),
    'x-codes': codes,
    ...(headers && { headers }),
    content: { 'application/json': { schema: book.write(ErrorBody, 'output') } },
  };
}

type Direction = 'input' | 'output';

/**
 * Zod schemas as JSON Schema. A schema with an id is written once, and references point to it.
 *
 * Bodies are written in the form a client sends (`input`), responses in the form it receives (`output`). A schema
 * whose two forms differ needs two ids: one id with two forms is an error. A custom type is written by its own
 * metadata; any other type that JSON Schema cannot express is an error.
 */
export interface SchemaRegistry {
  /** The schema itself, or a reference to a schema with an id. */
  write(schema: z.ZodType, direction: Direction): Schema;
  readonly components: Readonly<Record<string, Schema>>;
}

export function createSchemaRegistry(): SchemaRegistry {
  const components: Record<string, Schema> = {};
  return {
    components,
    write(schema, direction) {
      const { it, definitions } = convert(schema, direction);
      for (const [id, definition] of Object.entries(definitions)) {
        const known = components[id];
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
          throw new Error(`The schema ${id} has two meanings; give each its own id`);
        }
        components[id] = definition;
      }
      return it;
    },
  };
}

/** Wraps the schema in an object: zod then treats an id at the root like one inside. */
function convert(schema: z.ZodType, direction: Direction) {
  const written = z.toJSONSchema(z.strictObject({ it: schema }), {
    io: direction,
    unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.ZodCustom ? 'any' : 'throw'),
    override: ({ zodSchema, jsonSchema }) => simplifySchema(zodSchema, jsonSchema),
  });
  const text = JSON.stringify([written.properties?.it ?? {}, written.$defs ?? {}]);
  const moved = text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/');
  const [it, definitions] = JSON.parse(moved) as [Schema, Record<string, Schema>];
  return { it, definitions };
}

function simplifySchema(zodSchema: z.core.$ZodType, written: Schema): void {
  const shown = QUERY_SCHEMAS.get(zodSchema);
  if (shown !== undefined) {
    const { description } = written;
    for (const key of Object.keys(written)) delete written[key];
    Object.assign(written, shown, description !== undefined && { description });
  }
  // Some generators read an object without properties as one that may have none.
  const isFree = written.type === 'object' && written.properties === undefined;
  if (isFree && written.additionalProperties === undefined) written.additionalProperties = true;
  if (written.maximum === Number.MAX_SAFE_INTEGER) delete written.maximum;
  if (written.minimum === Number.MIN_SAFE_INTEGER) delete written.minimum;
  if (JSON.stringify(written.propertyNames) === '{"type":"string"}') delete written.propertyNames;
}
