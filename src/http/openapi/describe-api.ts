/**
 * The routes as an OpenAPI 3.1 document: what is served is what is described.
 *
 * Paths, parameters, bodies, answers and scopes come from the table of routes; `openapi/extras.ts`
 * adds the little it has no place for. Nothing here depends on a request.
 */
import { Scope } from '../../protocol/actor.ts';
import { SessionEventSchema } from '../../protocol/event.ts';
import type { OpenApiDocument, Operation, Tag } from './document.ts';
import { ERROR_NOTES } from './error-notes.ts';
import { guideAsMarkdown, SUMMARY } from './guide.ts';
import { describeOperation } from './operation.ts';
import { describeCommonResponses } from './responses.ts';
import { createSchemaRegistry } from './schema-registry.ts';
import type { Route } from '../route.ts';

export type { OpenApiDocument } from './document.ts';

const TAGS: Readonly<Record<string, string>> = {
  Sessions: 'One session is one conversation of one agent, with its own log.',
  Interactions: 'One question put to a person on behalf of one tool call.',
  Agent: 'The built-in agent of a session: its files, its client tools, another try.',
  'Short forms':
    'Answering by tool call, for clients that know nothing of interaction ids. Older clients find the same under `/api/sessions/{id}/…`.',
  Log: 'Everything that happened in a session, in order.',
  Credentials: 'Keys for programs, and the tokens made from them.',
  Workspace: 'What spans sessions.',
  Service: 'The service about itself.',
};

export function describeApi(routes: readonly Route[], version: string): OpenApiDocument {
  const book = createSchemaRegistry();
  const listed = routes.filter(({ unlisted }) => unlisted !== true);
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
    tags: tagsOf(listed),
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
      schemas: sorted(book.components),
    },
    'x-errors': ERROR_NOTES,
  };
}

function tagsOf(routes: readonly Route[]): readonly Tag[] {
  const names = [...new Set(routes.map((route) => route.tag))];
  return names.map((name) => ({ name, description: TAGS[name] ?? '' }));
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
