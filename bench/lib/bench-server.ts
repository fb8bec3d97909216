/** The server of one block: a fresh data folder, one workerd, and the credentials to call it. */
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerBundle } from '../../scripts/lib/worker-bundle.ts';
import { startWorkerd } from '../../scripts/workerd.ts';
import { HttpConnection } from '../client/http-connection.ts';
import { type BareWorkerd, bareStart } from './bare-start.ts';
import { FLOOR_BUNDLE, FLOOR_WITH_PARTS, KEEPING_FLOOR } from '../floor/bundle.ts';

/**
 * The hibernating floor waits on a socket that keeps no object in memory, as the product does after two seconds. The
 * reading and reporting floors do parts of the product's work (`floor/with-parts.mjs`), and the keeping floor does those and
 * keeps what the product keeps (`floor/keeping.mjs`).
 */
export type Side =
  | 'product'
  | 'floor'
  | 'hibernating floor'
  | 'reading floor'
  | 'reporting floor'
  | 'reading and reporting floor'
  | 'keeping floor';

/** The sender of a request; the floor receives the credential too and ignores it. */
interface Tokens {
  readonly agent: string;
  readonly person: string;
  readonly admin: string;
}

export interface Bundles {
  readonly product: WorkerBundle;
  /** The folder in which data folders are made: its disk is the one measured. */
  readonly dataRoot: string;
  /** Of this machine, which the server may then call. */
  readonly outside?: Readonly<Partial<Record<Side, Readonly<Record<string, string>>>>>;
}

const ADMIN_KEY = 'bench-admin-key-0000000000000000000000000';
const BINDINGS = {
  HOLDPOINT_SECRET: 'bench-secret-00000000000000000000000000000',
  HOLDPOINT_ADMIN_KEY: ADMIN_KEY,
  // One credential sends more requests here than the rate limit allows an agent.
  HOLDPOINT_RATE_LIMIT: '0',
};
const OWN_BINDINGS: Readonly<Record<Side, Readonly<Record<string, string>>>> = {
  product: BINDINGS,
  floor: {},
  'hibernating floor': { HIBERNATES: '1' },
  'reading floor': { READS: '1' },
  'reporting floor': { REPORTS: '1' },
  'reading and reporting floor': { READS: '1', REPORTS: '1' },
  'keeping floor': { READS: '1', REPORTS: '1' },
};
/** As long as the product's token, so that both sides receive the same number of bytes. */
const FLOOR_TOKENS = { agent: 'x'.repeat(240), person: 'x'.repeat(280), admin: ADMIN_KEY };
/** A process that has just started to listen still compiles code and opens files. */
const SETTLE_MS = 300;

/** Starts a server, runs the work, then ends the process and removes the data. */
export async function withServer<Result>(
  side: Side,
  { product, dataRoot, outside }: Bundles,
  work: (server: BenchServer) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(path.join(dataRoot, `${side.replaceAll(' ', '-')}-`));
  const bundle = bundleOf(side, product);
  const bindings = { ...OWN_BINDINGS[side], ...outside?.[side] };
  const allowPrivateNetwork = outside !== undefined;
  const workerd = await startWorkerd({ dataDir, bundle, bindings, allowPrivateNetwork });
  const tokens = side === 'product' ? await makeTokens(workerd.port) : FLOOR_TOKENS;
  const server = new BenchServer({ side, dataDir, tokens, bindings }, workerd);
  // The first step at exit: a folder cannot be removed while a process writes to it.
  const killAtExit = () => void server.kill();
  process.prependOnceListener('exit', killAtExit);
  try {
    await sleep(SETTLE_MS);
    return await work(server);
  } catch (cause) {
    throw new Error(`A block of the ${side} failed. workerd printed: ${server.output()}`, {
      cause,
    });
  } finally {
    process.off('exit', killAtExit);
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function bundleOf(side: Side, product: WorkerBundle): WorkerBundle {
  if (side === 'product') return product;
  if (side === 'keeping floor') return KEEPING_FLOOR;
  const { READS, REPORTS } = OWN_BINDINGS[side];
  return READS === undefined && REPORTS === undefined ? FLOOR_BUNDLE : FLOOR_WITH_PARTS;
}

/** Starts one server for each side, one after another; all of them run during the work. */
export async function withServers<Result>(
  sides: readonly Side[],
  bundles: Bundles,
  work: (servers: readonly BenchServer[]) => Promise<Result>,
  started: readonly BenchServer[] = [],
): Promise<Result> {
  const [side, ...rest] = sides;
  if (side === undefined) return work(started);
  return withServer(side, bundles, (server) =>
    withServers(rest, bundles, work, [...started, server]),
  );
}

interface Setup {
  readonly side: Side;
  readonly dataDir: string;
  readonly tokens: Tokens;
  readonly bindings: Readonly<Record<string, string>>;
}

export class BenchServer {
  readonly side: Side;
  readonly dataDir: string;
  readonly tokens: Tokens;
  readonly #bindings: Readonly<Record<string, string>>;
  #running: BareWorkerd;

  constructor({ side, dataDir, tokens, bindings }: Setup, running: BareWorkerd) {
    this.side = side;
    this.dataDir = dataDir;
    this.tokens = tokens;
    this.#bindings = bindings;
    this.#running = running;
  }

  get port(): number {
    return this.#running.port;
  }

  get pid(): number {
    return this.#running.pid;
  }

  connect(as: keyof Tokens): Promise<HttpConnection> {
    return HttpConnection.open(this.port, this.tokens[as]);
  }

  /** Tokens of so many people, each with a root of its own: one root has few of the sockets of a session. */
  async makePeople(count: number): Promise<string[]> {
    if (this.side !== 'product') return Array.from({ length: count }, () => this.tokens.person);
    const admin = await this.connect('admin');
    const made: string[] = [];
    for (let n = 0; n < count; n += 1) made.push(await makePersonToken(admin, `bench person ${n}`));
    admin.close();
    return made;
  }

  /** kill -9, and a new process over the same data, on another port. Resolves with the moment at which that is made. */
  async crash(): Promise<number> {
    await this.kill();
    let spawnedAt = Number.NaN;
    const onSpawn = () => (spawnedAt = performance.now());
    this.#running = await bareStart(this.dataDir, this.#bindings, onSpawn);
    return spawnedAt;
  }

  async kill(): Promise<void> {
    await this.#running.kill();
  }

  output(): string {
    return this.#running.output();
  }
}

/** Creates an agent's key and a person's token, as a deployment does; the admin key is for administration alone. */
async function makeTokens(port: number): Promise<Tokens> {
  const admin = await HttpConnection.open(port, ADMIN_KEY);
  const agent = await admin.json<{ secret: string }>('POST', '/v1/keys', 201, {
    body: { name: 'bench agent', scopes: ['agent', 'read'] },
  });
  const person = await makePersonToken(admin, 'bench person');
  admin.close();
  return { agent: agent.secret, person, admin: ADMIN_KEY };
}

async function makePersonToken(admin: HttpConnection, subject: string): Promise<string> {
  const body = { scopes: ['read', 'answer', 'send'], subject };
  return (await admin.json<{ token: string }>('POST', '/v1/tokens', 201, { body })).token;
}

/** Creates a session of the product; the floor creates one at its first write. */
export async function createSession(
  server: BenchServer,
  agent: HttpConnection,
  id: string,
  settings: object = {},
): Promise<void> {
  if (server.side !== 'product') return;
  const headers = `Idempotency-Key: create-${id}\r\n`;
  await agent.json('POST', '/v1/sessions', 201, { body: { id, ...settings }, headers });
}
