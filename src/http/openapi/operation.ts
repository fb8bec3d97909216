/** One route as one operation of the document. */
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../protocol/frame.ts';
import type { Access, Route } from '../route.ts';
import type { Operation, Schema } from './document.ts';
import { makeExample } from './example.ts';
import { EXTRAS } from './extras.ts';
import { operationId } from './operation-id.ts';
import { describeParameters } from './parameters.ts';
import { describeResponses } from './responses.ts';
import type { SchemaRegistry } from './schema-registry.ts';

export function describeOperation(route: Route, book: SchemaRegistry): Operation {
  const extra = EXTRAS[`${route.method} ${route.path}`] ?? {};
  const scopes = scopesOf(route.access);
  const parameters = describeParameters(route, extra, book);
  const body = bodyOf(route, book);
  return {
    operationId: operationId(route.method, route.path),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, needs(scopes)].filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: describeResponses(route, extra, book),
    ...(route.access === 'public' && { security: [] as const }),
    'x-scopes': scopes,
    ...(extra.socket && {
      'x-websocket': {
        subprotocols: [PROTOCOL, `${TOKEN_SUBPROTOCOL}<token>`],
        ...(extra.socket.sends && { sends: book.write(extra.socket.sends, 'input') }),
        receives: book.write(extra.socket.receives, 'output'),
      },
    }),
  };
}

function bodyOf(route: Route, book: SchemaRegistry): Operation['requestBody'] {
  const shown = route.shown ?? route.body;
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

function needs(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'Needs no credential.';
  const named = scopes.map((scope) => `\`${scope}\``).join(' or ');
  return `Needs the scope ${named}${scopes.includes('admin') ? '' : '; `admin` is always enough'}.`;
}
