/**
 * The rooms of src/ and the imports that each may have. lib/import-rules.ts enforces this table and nothing else. A name
 * with a slash is a room inside another, with rules of its own.
 *
 * `uses`: rooms whose values and types may be imported. `typesOf`: rooms from which only types may be imported.
 * `packages`: npm packages that a room may import; if absent, any package that no other rule forbids.
 */
export interface Room {
  uses: readonly string[];
  typesOf?: readonly string[];
  packages?: readonly string[];
}

export const ROOMS: Record<string, Room> = {
  // Plain values, which clients and pages load too: no schema, no package.
  protocol: { uses: [], typesOf: ['protocol/schema'], packages: [] },
  'protocol/schema': { uses: ['protocol'], packages: ['zod'] },
  core: { uses: ['protocol', 'protocol/schema'], packages: ['@noble/hashes'] },
  agent: { uses: ['protocol', 'protocol/schema', 'core'] },
  session: { uses: ['protocol', 'protocol/schema', 'core', 'agent'] },
  delivery: { uses: ['protocol', 'protocol/schema', 'core', 'delivery/surfaces'] },
  // Where announcements are shown: pure, because the workspace checks the settings of a target with it too.
  'delivery/surfaces': { uses: ['protocol', 'protocol/schema', 'core'] },
  workspace: {
    uses: ['protocol', 'protocol/schema', 'core', 'delivery/surfaces'],
    typesOf: ['delivery'],
  },
  // From the client only the stream of a message, which is the same over every transport (STR-1).
  http: {
    // And the words of cards, so that the page of an answer link says what the chat says.
    uses: [
      'protocol',
      'protocol/schema',
      'core',
      'client',
      'display',
      'web/model',
      'integrations/hooks',
    ],
    typesOf: ['session', 'workspace', 'agent', 'delivery', 'delivery/surfaces'],
  },
  platform: {
    uses: ['protocol', 'protocol/schema', 'core', 'agent', 'session', 'delivery', 'workspace'],
    typesOf: ['http', 'delivery/surfaces'],
  },
  client: { uses: ['protocol'], typesOf: ['protocol/schema'], packages: [] },
  // Pure: what a person reads of an input, on a card, on the page of an answer link and in a terminal.
  display: { uses: ['protocol', 'web/model'], packages: ['fast-myers-diff'] },
  // A separate deployment: it composes the rooms in one process, as worker.ts does in a Worker.
  'in-process': {
    uses: [
      'protocol',
      'protocol/schema',
      'core',
      'session',
      'delivery',
      'workspace',
      'http',
      'platform',
      'client',
    ],
    typesOf: ['agent'],
  },
  integrations: { uses: ['client', 'protocol'], typesOf: ['protocol/schema'] },
  // Pure: the route of hooks and the command `holdpoint hook` translate by it.
  'integrations/hooks': {
    uses: ['client', 'protocol', 'integrations'],
    typesOf: ['protocol/schema'],
    packages: [],
  },
  // A program of its own: it runs in Node alone.
  cli: {
    uses: ['client', 'protocol', 'display', 'integrations', 'integrations/hooks'],
    typesOf: ['protocol/schema'],
    packages: [
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:http',
      'node:https',
      'node:os',
      'node:path',
      'node:readline',
      'node:stream',
      'node:util',
    ],
  },
  // Pure functions: what a screen says, and what a draft stands for.
  'web/model': { uses: ['client', 'protocol'], typesOf: ['protocol/schema'], packages: [] },
  web: {
    uses: ['client', 'protocol', 'display', 'web/model', 'service-worker'],
    typesOf: ['protocol/schema'],
    packages: ['preact', 'micromark', 'micromark-extension-gfm', 'diff', 'sugar-high'],
  },
  // What a browser runs without a page.
  'service-worker': { uses: ['protocol'], packages: [] },
};

export interface Restriction {
  /** The import, call or text that is allowed in a few places only. */
  what: RegExp;
  /** Prefixes of the paths where it is allowed. */
  onlyIn: readonly string[];
  instead: string;
}

export const RESTRICTED_IMPORTS: readonly Restriction[] = [
  {
    what: /^cloudflare:/,
    onlyIn: ['src/worker.ts', 'src/platform/cloudflare/'],
    instead: 'declare a port in this room and implement it in src/platform/cloudflare/',
  },
  {
    what: /^@anthropic-ai\/sdk($|\/)/,
    onlyIn: ['src/platform/anthropic/'],
    instead: "use this room's own Model port; src/platform/anthropic/ translates",
  },
  {
    what: /^@anthropic-ai\/sdk$/,
    onlyIn: [],
    instead:
      'import its client, its resource or its errors alone: all of it is three times the code',
  },
  {
    what: /^zod$/,
    onlyIn: ['src/protocol/schema/zod.ts', 'src/integrations/'],
    instead:
      'import * as z from src/protocol/schema/zod.ts, which builds a schema at its first use',
  },
  {
    what: /^node:/,
    onlyIn: ['src/platform/', 'src/in-process/', 'src/integrations/', 'src/cli/'],
    instead: 'the Worker has no Node modules; pass what is needed in through a port',
  },
  {
    what: /\.sql$/,
    onlyIn: ['src/platform/sqlite/'],
    instead: 'call src/platform/sqlite/, which applies the migrations',
  },
];

const CLOCK_AND_CHANCE: readonly string[] = [
  'src/platform/',
  'src/client/',
  'src/cli/',
  'src/in-process/clock.ts',
  'src/web/',
  'src/service-worker/',
  'src/worker.ts',
];

/** Matched against the source text of a call without its arguments: `Date.now`, `new Date`. */
export const RESTRICTED_CALLS: readonly Restriction[] = [
  {
    what: /^(Date\.now|new Date|performance\.now)$/,
    onlyIn: CLOCK_AND_CHANCE,
    instead: 'take the time as an argument or from a Clock port',
  },
  {
    what: /^(Math\.random|crypto\.randomUUID|crypto\.getRandomValues)$/,
    onlyIn: CLOCK_AND_CHANCE,
    instead: 'take fresh ids and chance as arguments or from a port',
  },
];

/** A heuristic: a string that starts like a statement in capitals. */
export const RESTRICTED_TEXT: readonly Restriction[] = [
  {
    what: /^\s*(SELECT\s|INSERT (OR [A-Z]+ )?INTO\s|UPDATE \w+\s+SET\s|DELETE FROM\s|CREATE (TABLE|INDEX|UNIQUE)|PRAGMA\s|WITH \w+ AS\s)/,
    onlyIn: ['src/platform/sqlite/'],
    instead: 'put the statement into src/platform/sqlite/',
  },
];
