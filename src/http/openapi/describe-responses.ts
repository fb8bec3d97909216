/**
 * The responses of an operation: its own, and the rejections that all routes of its form share.
 *
 * A rejection always has the schema `Error`. Shared rejections are components of the document, and
 * operations refer to them; where a route adds codes to a status, the operation lists all of them.
 */
import { type ErrorCode, ERRORS } from '../../protocol/errors.ts';
import { ErrorBody } from '../../protocol/schema/rejection.ts';
import type { HttpRoute } from '../route.ts';
import type {
  Media,
  OperationResponse,
  ResponseHeader,
  ResponseReference,
  Schema,
} from './document.ts';
import type { SchemaRegistry } from './schema-registry.ts';

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
