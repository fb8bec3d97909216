/**
 * The settings of a local server: from the environment first, then from a file, by default .dev.vars. Secrets that both
 * lack are generated and added to the file.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type PersonName, personName } from './person-name.ts';

/** Passed to the Worker when set, with everything else in .dev.vars, as `wrangler dev` does. */
export const WORKER_SETTINGS = [
  'HOLDPOINT_SECRET',
  'HOLDPOINT_ADMIN_KEY',
  'HOLDPOINT_RATE_LIMIT',
  'HOLDPOINT_SESSION_LIMIT',
  'HOLDPOINT_TIMEOUTS',
  'HOLDPOINT_ORIGINS',
  'HOLDPOINT_DEMO',
  'HOLDPOINT_PRIVATE_TOOLS',
  'HOLDPOINT_FORBID_SELF_APPROVAL',
  'HOLDPOINT_ACTIVITY',
  'HOLDPOINT_OIDC_ISSUER',
  'HOLDPOINT_OIDC_NAME',
  'HOLDPOINT_OIDC_CLIENT_ID',
  'HOLDPOINT_OIDC_CLIENT_SECRET',
  'HOLDPOINT_OIDC_SCOPES',
  'HOLDPOINT_OIDC_SUBJECT_CLAIM',
  'HOLDPOINT_OIDC_GROUPS_CLAIM',
  'HOLDPOINT_OIDC_TRUST_EMAIL',
  'HOLDPOINT_ACCESS_TEAM',
  'HOLDPOINT_ACCESS_AUD',
  'HOLDPOINT_LOGIN_DOMAINS',
  'HOLDPOINT_LOGIN_ROLE',
  'HOLDPOINT_ADMINS',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_MODEL',
] as const;
export const SECRETS = ['HOLDPOINT_SECRET', 'HOLDPOINT_ADMIN_KEY'] as const;
/** Read by this script only; not a binding of the Worker. */
export const SCRIPT_SETTINGS = ['PORT', 'HOST', 'HOLDPOINT_DATA', 'HOLDPOINT_NAME'] as const;

export interface Settings {
  port: number | undefined;
  host: string;
  dataDir: string;
  person: PersonName;
  bindings: Record<string, string>;
}

type Environment = Record<string, string | undefined>;

export function readSettings(
  environment: Environment,
  devVarsFile: string,
  secrets: 'make secrets' | 'read secrets' = 'make secrets',
): Settings {
  const env = withoutEmpty(environment);
  const file = readFile(devVarsFile);
  if (secrets === 'make secrets') Object.assign(file, addSecrets(devVarsFile, { ...file, ...env }));
  const value = (name: (typeof SCRIPT_SETTINGS)[number]) => env[name] ?? file[name];

  const bindings = { ...file };
  for (const name of SCRIPT_SETTINGS) delete bindings[name];
  for (const name of WORKER_SETTINGS) {
    const fromEnvironment = env[name];
    if (fromEnvironment !== undefined) bindings[name] = fromEnvironment;
  }
  return {
    port: parsePort(value('PORT')),
    host: value('HOST') ?? '127.0.0.1',
    dataDir: value('HOLDPOINT_DATA') ?? '.holdpoint',
    person: personName(value('HOLDPOINT_NAME')),
    // A configured model takes precedence over the demo model; `HOLDPOINT_DEMO=0` turns the demo model off.
    bindings: { HOLDPOINT_DEMO: '1', ...bindings },
  };
}

/**
 * The bindings of a local server. A person at a terminal tries Holdpoint with models, tools and receivers on the same machine;
 * a service is reached by others, who could use it to reach what only its machine does.
 */
export function bindingsOf(
  { bindings }: Pick<Settings, 'bindings'>,
  where: 'on a terminal' | 'as a service',
): Record<string, string> {
  const value = where === 'on a terminal' ? '1' : '0';
  return { HOLDPOINT_ACTIVITY: value, HOLDPOINT_PRIVATE_TOOLS: value, ...bindings };
}

function readFile(file: string): Record<string, string> {
  return existsSync(file) ? withoutEmpty(parseEnv(readFileSync(file, 'utf8'))) : {};
}

/** Adds the missing secrets to the file, and returns them. */
function addSecrets(file: string, known: Record<string, string>): Record<string, string> {
  const missing = SECRETS.filter((name) => known[name] === undefined);
  if (missing.length === 0) return {};
  const made = Object.fromEntries(
    missing.map((name) => [name, randomBytes(32).toString('base64url')]),
  );
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = Object.entries(made).map(([name, secret]) => `${name}=${secret}\n`);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  appendFileSync(file, gap + lines.join(''), { mode: 0o600 });
  chmodSync(file, 0o600);
  return made;
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Error(`PORT is "${text}", which is not a number from 1 to 65535.`);
}

function withoutEmpty(record: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value !== undefined && value !== '') kept[name] = value;
  }
  return kept;
}
