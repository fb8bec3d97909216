/**
 * The document is made from the routes. A bug here looks like a reference without a target, a route without its
 * description, or an example that the service refuses.
 */
import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeApi } from '../../src/http/openapi/describe-api.ts';
import type { Operation, Schema } from '../../src/http/openapi/document.ts';
import { createSchemaRegistry } from '../../src/http/openapi/describe-responses.ts';
import { KINDS } from '../../src/core/kinds/index.ts';
import { isListed, type HttpRoute, route } from '../../src/http/route.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { PAYLOADS } from '../../src/protocol/schema/event.ts';

const SOME_VERSION = '1.2.3';

const document = describeApi(ROUTES, SOME_VERSION);
const documentText = JSON.stringify(document);

interface Listed {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

const LISTED = ROUTES.filter(isListed);
const operations: readonly Listed[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

function documentPath(served: HttpRoute): string {
  return served.path.replace(/:(\w+)/g, '{$1}');
}

function operationOf(served: HttpRoute): Operation | undefined {
  return document.paths[documentPath(served)]?.[served.method.toLowerCase()];
}

function resolve(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      document,
    );
}

function fits(schema: Schema, value: unknown): string[] {
  const whole = { ...schema, components: document.components } as object;
  return new Validator(whole, '2020-12').validate(value).errors.map((error) => error.error);
}

describe('the document', () => {
  it('is OpenAPI 3.1 and has the version of the service', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Holdpoint', version: SOME_VERSION });
    expect(document.security).toEqual([{ bearer: [] }]);
    expect(document.components.securitySchemes.bearer).toMatchObject({ scheme: 'bearer' });
  });

  it('differs by version only', () => {
    expect(JSON.stringify(describeApi(ROUTES, SOME_VERSION))).toBe(documentText);
    expect(JSON.stringify(describeApi(ROUTES, '9.9.9'))).toContain('"version":"9.9.9"');
  });

  it('has every route except pages, other protocols and the older paths', () => {
    const missing = ROUTES.filter((each) => operationOf(each) === undefined);
    expect(missing.map((each) => `${each.method} ${each.path}`).toSorted()).toEqual([
      'GET /',
      'GET /assets/:name',
      'GET /auth/callback',
      'GET /auth/login',
      'GET /auth/session',
      'GET /docs',
      'GET /docs/style.css',
      'GET /inbox',
      'GET /sw.js',
      'POST /api/sessions/:id/approve',
      'POST /api/sessions/:id/deny',
      'POST /api/sessions/:id/submit-answers',
      'POST /auth/login',
      'POST /auth/logout',
      'POST /mcp',
      'POST /v1/inbound/slack/:targetId',
    ]);
    expect(operations.length).toBe(ROUTES.length - missing.length);
    expect(documentText).toContain('/api/sessions/{id}/…');
  });

  it('has a target for every reference', () => {
    const references = [...documentText.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to ?? '');
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/(schemas|responses)\//);
      expect(resolve(reference), reference).toBeDefined();
    }
  });

  it('keeps no trace of the schema library', () => {
    expect(documentText).not.toMatch(/"(\$defs|definitions|~standard)":/);
  });

  it('declares exactly the parameters of every path', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      const declared = (operation.parameters ?? []).filter(
        ({ in: location }) => location === 'path',
      );
      expect(declared.map(({ name }) => name).toSorted(), path).toEqual(inPath.toSorted());
      expect(
        declared.every(({ required }) => required),
        path,
      ).toBe(true);
    }
  });

  it('declares no parameter twice', () => {
    for (const { operation } of operations) {
      const names = (operation.parameters ?? []).map(
        ({ name, in: location }) => `${location} ${name}`,
      );
      expect(new Set(names).size, operation.operationId).toBe(names.length);
    }
  });

  it('shows numbers in queries as numbers', () => {
    const parameters = document.paths['/v1/sessions']?.get?.parameters ?? [];
    const limit = parameters.find(({ name }) => name === 'limit');
    expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 1000 });
  });

  it('gives every operation a unique, readable id', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it('does not compile a route without an operation id that is not marked as unlisted', () => {
    const fields = {
      method: 'GET',
      path: '/v1/nameless',
      tag: { name: 'Test', description: 'A test' },
      summary: 'Nameless',
      access: 'public',
      responses: { 200: { description: 'Done' } },
      handle: async () => ({ status: 200, json: {} }),
    } as const;
    // @ts-expect-error: it has no `operationId`
    expect(isListed(route(fields))).toBe(true);
    expect(isListed(route({ ...fields, unlisted: true }))).toBe(false);
  });

  it('lists every tag in use, with a sentence about it', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
    for (const tag of document.tags) expect(tag.description, tag.name).not.toBe('');
  });

  it('has the scopes of every route', () => {
    for (const each of LISTED) {
      const operation = operationOf(each);
      const { access } = each;
      const isPublic = access === 'public';
      const scopes = isPublic ? [] : access.anyOf.length === 0 ? ['admin'] : access.anyOf;
      expect(operation?.['x-scopes'], each.path).toEqual(scopes);
      expect(operation?.security, each.path).toEqual(isPublic ? [] : undefined);
      for (const scope of scopes) expect(operation?.description).toContain(`\`${scope}\``);
    }
  });

  it('has the schema of every response', () => {
    for (const each of LISTED) {
      for (const [status, { schema }] of Object.entries(each.responses)) {
        const response = operationOf(each)?.responses[status];
        expect(response, `${each.method} ${each.path} ${status}`).toBeDefined();
        if (schema === undefined || response === undefined || '$ref' in response) continue;
        const written = response.content?.['application/json']?.schema ?? {};
        expect(Object.keys(written), `${each.method} ${each.path} ${status}`).not.toEqual([]);
      }
    }
  });

  it('documents refusals as the schema Error with their codes', () => {
    const error = { $ref: '#/components/schemas/Error' };
    for (const { operation, path } of operations) {
      const wanted = operation.security === undefined ? ['401', '403', '429', '503'] : [];
      const statuses = Object.keys(operation.responses);
      expect(statuses, path).toEqual(expect.arrayContaining([...wanted, '400', '500']));
      if (path.includes('{')) expect(statuses, path).toContain('404');
      for (const [status, entry] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const response = '$ref' in entry ? resolve(entry.$ref) : entry;
        expect(response).toMatchObject({ content: { 'application/json': { schema: error } } });
        const { 'x-codes': codes = [] } = response as { 'x-codes'?: (keyof typeof ERRORS)[] };
        expect(codes.length, `${path} ${status}`).toBeGreaterThan(0);
        for (const code of codes) expect(String(ERRORS[code].status), code).toBe(status);
      }
    }
  });

  it('has the whole table of error codes', () => {
    expect(Object.keys(document['x-errors'])).toEqual(Object.keys(ERRORS));
    expect(document['x-errors'].unavailable).toMatchObject({ status: 503, retry: 'now' });
  });

  it('offers an idempotency key on exactly the routes that take one', () => {
    for (const each of LISTED) {
      const names = (operationOf(each)?.parameters ?? []).map(({ name }) => name);
      expect(names.includes('Idempotency-Key'), each.path).toBe(each.idempotent === true);
    }
  });

  it('names the other headers that change the response', () => {
    const namesOf = (path: string, method: string) =>
      (document.paths[path]?.[method]?.parameters ?? []).map(({ name }) => name);
    expect(namesOf('/v1/sessions/{id}/interactions', 'post')).toContain('Prefer');
    expect(namesOf('/v1/sessions/{id}/events', 'get')).toContain('Last-Event-ID');
  });

  it('describes each other form of a response', () => {
    const described = LISTED.filter(({ media }) => media !== undefined);
    expect(described.length).toBeGreaterThan(3);
    for (const each of described) {
      const content = operationOf(each)?.responses['200'] as { content?: object } | undefined;
      expect(Object.keys(content?.content ?? {}), each.path).toEqual(
        expect.arrayContaining(Object.keys(each.media ?? {})),
      );
    }
  });

  it('describes every parameter, with a valid example for those in a path', () => {
    for (const each of LISTED) {
      for (const { name, in: location, description, example } of operationOf(each)?.parameters ??
        []) {
        const label = `${each.method} ${each.path}: ${name}`;
        expect(description ?? '', label).not.toBe('');
        if (location !== 'path') continue;
        expect(each.params?.shape[name]?.safeParse(example).success, label).toBe(true);
      }
    }
  });

  it('has the opening body and the answer of every kind', () => {
    const { OpenInteraction, AnswerInteraction } = document.components.schemas;
    const kinds = ['Approval', 'Question', 'PlanReview', 'Form'];
    const pointers = (prefix: string) =>
      kinds.map((kind) => ({ $ref: `#/components/schemas/${prefix}${kind}` }));
    expect(OpenInteraction?.oneOf).toEqual(expect.arrayContaining(pointers('Open')));
    expect(AnswerInteraction?.anyOf).toEqual(expect.arrayContaining(pointers('Answer')));
    expect(OpenInteraction?.oneOf).toHaveLength(KINDS.size);
    expect(AnswerInteraction?.anyOf).toHaveLength(KINDS.size);
  });

  it('links the schemas of the socket frames', () => {
    const socket = document.paths['/v1/sessions/{id}/socket']?.get?.['x-websocket'];
    expect(socket?.sends).toEqual({ $ref: '#/components/schemas/ClientFrame' });
    expect(socket?.receives).toEqual({ $ref: '#/components/schemas/ServerFrame' });
    const types = document.components.schemas.SessionEvent?.oneOf?.map(
      (variant) => (variant.properties?.type as Schema | undefined)?.const,
    );
    expect(types).toEqual(Object.keys(PAYLOADS));
  });
});

/** Every schema in the document, however deep. */
function schemasIn(value: unknown): Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && typeof value.type === 'string' ? [value as Schema] : [];
  return [...own, ...Object.values(value).flatMap(schemasIn)];
}

describe('the schemas in the document', () => {
  it('say of every object which fields it takes, or that it takes any', () => {
    const objects = schemasIn(document).filter(({ type }) => type === 'object');
    expect(objects.length).toBeGreaterThan(100);
    const withoutFields = objects.filter((schema) => {
      return schema.properties === undefined && schema.additionalProperties === undefined;
    });
    expect(withoutFields).toEqual([]);
  });

  it('have a name if they are a body or a response', () => {
    for (const { operation } of operations) {
      const sent = operation.requestBody?.content['application/json']?.schema;
      const received = Object.entries(operation.responses)
        .filter(([status]) => Number(status) < 300)
        .map(([, response]) =>
          '$ref' in response ? response : response.content?.['application/json']?.schema,
        );
      for (const schema of [sent, ...received].filter((written) => written !== undefined)) {
        const variants = 'anyOf' in schema ? (schema.anyOf ?? []) : [schema];
        for (const variant of variants)
          expect(variant, operation.operationId).toHaveProperty('$ref');
      }
    }
  });

  it('have no empty body schema', () => {
    for (const { operation } of operations) {
      const schema = operation.requestBody?.content['application/json']?.schema;
      if (schema === undefined) continue;
      expect(Object.keys(schema), operation.operationId).not.toEqual([]);
    }
  });

  it('accept every example that the service accepts', () => {
    const withJson = LISTED.filter(({ body, bodyIsBytes }) => body !== undefined && !bodyIsBytes);
    for (const each of withJson) {
      const media = operationOf(each)?.requestBody?.content['application/json'];
      const named = `${each.method} ${each.path}`;
      expect(fits(media?.schema ?? {}, media?.example), named).toEqual([]);
      expect((each.documentedBody ?? each.body)?.safeParse(media?.example).success, named).toBe(
        true,
      );
      expect(each.body?.safeParse(media?.example).success, named).toBe(true);
    }
  });

  it('[ATT-1] say of a file that it is bytes of any type', () => {
    const files = LISTED.filter(({ bodyIsBytes }) => bodyIsBytes === true);
    expect(files.map(({ operationId }) => operationId)).toEqual(['attachSessionFile']);
    for (const each of files) {
      expect(operationOf(each)?.requestBody).toEqual({ required: true, content: { '*/*': {} } });
    }
  });

  it('accept a real event and refuse an invented event', () => {
    const schema = { $ref: '#/components/schemas/SessionEvent' };
    const event = { seq: 1, at: 0, type: 'assistant_text', payload: { text: 'Hello' } };
    expect(fits(schema, event)).toEqual([]);
    expect(fits(schema, { ...event, type: 'invented' })).not.toEqual([]);
  });

  it('accept a decline, which two kinds share', () => {
    expect(fits({ $ref: '#/components/schemas/AnswerInteraction' }, { decline: true })).toEqual([]);
  });

  it('refuse two schemas with the same name', () => {
    const book = createSchemaRegistry();
    const twice = z.strictObject({ count: z.number().default(1) }).meta({ id: 'TestTwice' });
    book.write(twice, 'input');
    expect(() => book.write(twice, 'output')).toThrow('TestTwice has two meanings');
  });

  it('refuse a type that JSON cannot express', () => {
    expect(() => createSchemaRegistry().write(z.date(), 'input')).toThrow();
  });
});
