/**
 * The routes as an OpenAPI 3.1 document.
 *
 * Everything about one operation comes from its route; this folder adds what all routes share.
 */
import { ERRORS } from '../../protocol/errors.ts';
import { Scope } from '../../protocol/schema/actor.ts';
import { SessionEventSchema } from '../../protocol/schema/event.ts';
import type { OpenApiDocument, Operation } from './document.ts';
import { guideAsMarkdown, SUMMARY } from './guide.ts';
import { describeOperation } from './describe-operation.ts';
import { describeCommonResponses } from './describe-responses.ts';
import { createSchemaRegistry } from './schema-registry.ts';
import { isListed, type HttpRoute } from '../route.ts';

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
