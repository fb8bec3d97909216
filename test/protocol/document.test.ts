/**
 * The lists and tables of `docs/protocol.md`, compared with the code in both directions; `limits.test.ts` does the same
 * for the limits.
 *
 * A bug here looks like a route that a reader of the page never finds, or one that is documented and not served.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { COMMAND_SCOPES } from '../../src/core/authority.ts';
import { KINDS } from '../../src/core/kinds/index.ts';
import type { HttpRoute } from '../../src/http/route.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { Scope, Via } from '../../src/protocol/schema/actor.ts';
import { APPENDABLE, EVENT_TYPES, PAYLOADS } from '../../src/protocol/schema/event.ts';
import { ClientFrame, ServerFrame, InboxFrame } from '../../src/protocol/schema/frame.ts';
import { Action, Outcome } from '../../src/protocol/schema/interaction.ts';
import { PermissionMode } from '../../src/protocol/schema/session.ts';

const PAGE = readFileSync('docs/protocol.md', 'utf8');
/** Examples are run by tests of their own. */
const PROSE = PAGE.replace(/^```[^]*?^```$/gm, '');

function section(title: string): string {
  const start = PROSE.indexOf(`\n## ${title}\n`);
  const end = PROSE.indexOf('\n## ', start + 1);
  expect(start, title).toBeGreaterThan(0);
  return PROSE.slice(start, end < 0 ? undefined : end);
}

/** The cells of each row of the table that begins with this head. */
function rows(text: string, ...head: readonly string[]): string[][] {
  const start = text.indexOf(`\n| ${head.join(' | ')} |\n`);
  expect(start, head.join(' | ')).toBeGreaterThanOrEqual(0);
  const [table = ''] = text.slice(start + 1).split('\n\n');
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) => line.replaceAll('\\|', '∣').split('|'));
  return cells.slice(2).map((row) => row.slice(1, -1).map((cell) => cell.trim()));
}

function codes(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** `…` stands for the path of a session. */
function pathOf(written: string): string {
  const [path = ''] = written.split(/[?{\s]/);
  return path.replace(/^…/, '/v1/sessions/:id').replace(/\/$/, '') || '/';
}

const nameOf = ({ method, path }: Pick<HttpRoute, 'method' | 'path'>) => `${method} ${path}`;
const SERVED = ROUTES.map(nameOf).toSorted();

describe('the words', () => {
  const words = new Map(
    rows(section('Words'), 'what', 'words').map(([what = '', list = '']) => [
      what.replace(/,.*/, ''),
      // The text after `and` or `;` describes the list, and is not in it.
      codes(list.replace(/[,;] .*$/, '')),
    ]),
  );

  it.each([
    ['commands', Object.keys(COMMAND_SCOPES)],
    ['events', EVENT_TYPES],
    ['frames from the server', typesOf(ServerFrame)],
    ['frames from a client', typesOf(ClientFrame)],
    ['kinds', [...KINDS.keys()]],
    ['outcomes', Outcome.options],
    ['actions', Action.options],
    ['permission modes', PermissionMode.options],
    ['scopes', Scope.options],
  ])('list the %s', (what, wanted) => {
    expect(words.get(what)?.toSorted()).toEqual([...wanted].toSorted());
  });

  it('list every source of an answer', () => {
    const [, list = ''] =
      rows(section('Words'), 'what', 'words').find(([what]) => what?.includes('`via`')) ?? [];
    const said = codes(list).filter((word) => word !== 'rule');
    expect(said.toSorted()).toEqual(Via.options.filter((via) => via !== 'rule').toSorted());
  });
});

interface Frames {
  readonly options: readonly { readonly shape: { readonly type: z.ZodLiteral<string> } }[];
}

function typesOf({ options }: Frames): string[] {
  return options.map(({ shape }) => shape.type.value);
}

/** The types of the frames that a table or an example shows. */
function framesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{"type": "(\w+)"/g)].map(([, type = '']) => type))];
}

describe('the frames', () => {
  const socket = section('The socket');
  it.each([
    ['from the server', 'when', ServerFrame],
    ['from a client', 'does', ClientFrame],
  ] as const)('%s are those of the socket', (who, what, schema) => {
    const cells = rows(socket, who, what).map(([frame = '']) => frame);
    expect(framesIn(cells.join('\n')).toSorted()).toEqual(typesOf(schema).toSorted());
  });

  it('of the inbox are listed, but for the refusal that every socket has', () => {
    const start = PAGE.indexOf('\n## The workspace\n');
    const shown = framesIn(PAGE.slice(start, PAGE.indexOf('\n## ', start + 1)));
    expect([...shown, 'error'].toSorted()).toEqual(typesOf(InboxFrame).toSorted());
  });
});

describe('the events', () => {
  const table = rows(section('Events'), 'type', 'payload');

  it('are complete, and those that an agent may append are marked', () => {
    const written = table.map(([type = '']) => type);
    const appendable = new Set<string>(APPENDABLE);
    const wanted = EVENT_TYPES.map((type) => `\`${type}\`${appendable.has(type) ? ' *' : ''}`);
    expect(written.toSorted()).toEqual(wanted.toSorted());
  });

  it.each(EVENT_TYPES)('%s has the fields of its payload', (type) => {
    const [, cell = ''] = table.find(([name]) => codes(name ?? '')[0] === type) ?? [];
    const fields = codes(cell.replace(/\([^)]*\)|;.*/g, '')).map((code) => code.replace(/ .*/, ''));
    const { properties = {}, required = [] } = z.toJSONSchema(PAYLOADS[type], {
      unrepresentable: 'any',
    });
    const wanted = Object.keys(properties).map((name) =>
      required.includes(name) ? name : `${name}?`,
    );
    expect(fields.toSorted()).toEqual(wanted.toSorted());
  });
});

describe('the routes', () => {
  const table = rows(section('Credentials and scopes'), 'routes', 'scope').flatMap(
    ([routes = '', scope = '']) =>
      codes(routes).map((written) => {
        const [method = '', path = ''] = written.split(' ');
        return { name: `${method} ${pathOf(path)}`, scope };
      }),
  );

  it('are all in the table of scopes, once', () => {
    expect(table.map(({ name }) => name).toSorted()).toEqual(SERVED);
  });

  it.each(ROUTES.map((route) => [nameOf(route), route] as const))(
    '%s needs the scope that the table names',
    (name, { access }) => {
      const { scope = '' } = table.find((row) => row.name === name) ?? {};
      if (access === 'public') return expect(scope).toBe('none');
      const wanted = access.anyOf.length === 0 ? ['admin'] : [...access.anyOf];
      // After the semicolon stands what some requests need beside it.
      expect(codes(scope.replace(/;.*/, '')).toSorted()).toEqual(wanted.toSorted());
    },
  );

  it('take an idempotency key where the page lists it, and nowhere else', () => {
    const [, sentence = ''] = /\nIt is read on `POST` to ([^]*?)\. /.exec(PROSE) ?? [];
    const listed = codes(sentence).map((path) => `POST ${pathOf(path)}`);
    const wanted = ROUTES.filter(({ idempotent }) => idempotent === true).map(nameOf);
    expect(listed.toSorted()).toEqual(wanted.toSorted());
  });

  it('are served wherever the page names a route', () => {
    const named = [...PROSE.matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([/…][^`]*)`/g)];
    expect(named.length).toBeGreaterThan(50);
    const names = named.map(([, method = '', path = '']) => `${method} ${pathOf(path)}`);
    expect(names.filter((name) => !SERVED.includes(name))).toEqual([]);
  });
});

describe('the errors', () => {
  it('have their status, their close code and their advice', () => {
    const table = rows(section('Errors'), 'code', 'status', 'close', 'retry', 'means');
    const written = table.map(([code, status, close, retry]) => [code, status, close, retry]);
    const wanted = Object.entries(ERRORS).map(([code, { status, close, retry }]) => [
      `\`${code}\``,
      String(status),
      String(close),
      retry,
    ]);
    expect(written).toEqual(wanted);
    expect(table.filter(([, , , , means = '']) => means.length < 10)).toEqual([]);
  });

  it('close a socket with codes that the page explains', () => {
    const table = rows(section('The socket'), 'close', 'why', 'come back?');
    const explained = table.map(([close]) => Number(close)).filter((code) => !Number.isNaN(code));
    const used = new Set<number>(Object.values(ERRORS).map(({ close }) => close));
    // A failure of the server reads as any other.
    used.delete(1011);
    // No refusal: a long replay goes on over the next connection.
    used.add(1012);
    expect(new Set(explained)).toEqual(used);
  });
});
