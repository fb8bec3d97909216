/**
 * Sends requests to every route of a server and to many invented paths, with every known kind of fault.
 *
 * A case depends on the seed, its number and its plot, and on no earlier response, so the same seed sends the same
 * requests. The network decides the order of simultaneous requests; `atOnce: 1` makes the order fixed too.
 */
import { LIMITS } from '../../src/protocol/limits.ts';
import { type Target, TARGETS } from '../support/http/examples.ts';
import type { FaultRun } from '../faults/commands.ts';
import { FaultServer } from '../faults/server.ts';
import { Findings } from '../support/findings.ts';
import { Random } from '../support/random.ts';
import { answerProblem, codeIn, routesAt } from './answer-oracle.ts';
import { exchange } from './exchange.ts';
import {
  asBytes,
  asCommand,
  bytesOf,
  type FuzzRequest,
  isWhole,
  mayBeCutOff,
} from './fuzz-request.ts';
import { rawProblem } from './raw-oracle.ts';
import { makeRaw } from './raw-case.ts';
import { preparePlot } from './plot.ts';
import { makeRequest, makeRequests } from './request-case.ts';
import { growsWithoutEnd, residentBytes } from './resident-memory.ts';
import type { FuzzReport } from './report.ts';
import { handshakeOf, playSocketCase } from './socket-play.ts';
import { makeSocketCase } from './socket-case.ts';
import { Tally } from './tally.ts';

export interface FuzzOptions extends FaultRun {
  readonly cases: number;
  /** The number of the first case; earlier cases of its plot are played as well. */
  readonly from?: number;
  /** The number of simultaneous requests. */
  readonly atOnce?: number;
  /** A response that takes longer, beyond a requested wait, hangs. */
  readonly giveUpAfterMs?: number;
}

/** Every route once. */
const CASES_A_PLOT = TARGETS.length;
const CHECK_EVERY = 500;
/** Enough to see a pattern; the server is likely to be beyond help. */
const MAX_FAILURES = 20;
/** The output of a failing server; a refusal prints nothing. */
const COMPLAINT = /uncaught|exception|"level":"(?:warn|error)"|fatal|segfault|\*\*\*/i;
/**
 * The output of the runtime about clients that break HTTP or WebSocket, or leave while their response is written; and about
 * an export or a download that breaks off because another request deletes its session: half must not look like all of it.
 */
const NOT_OURS = new RegExp(
  [
    'WebSocket protocol error',
    'invalid Content-Length header value',
    'unknown transfer encoding',
    'invalid URL; url =',
    'invalid hostname when stringifying URL',
    'Handler does not export a connect\\(\\) function',
    'disconnected: write\\(\\): (?:Broken pipe|Connection reset by peer)',
    'remote\\.jsg\\.Error: There is no such session',
  ].join('|'),
);

const KINDS = { http: 88, raw: 5, socket: 7 } as const;

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { dataDir, bundle } = options;
  const begun: { run?: FuzzRun } = {};
  const onUnexpectedEnd = (evidence: string) => begun.run?.end(evidence);
  const server = await FaultServer.start({ dataDir, bundle, onUnexpectedEnd });
  try {
    const run = new FuzzRun(options, server);
    begun.run = run;
    await run.play();
    return run.report();
  } finally {
    await server.kill();
  }
}

class FuzzRun {
  readonly #options: FuzzOptions;
  readonly #server: FaultServer;
  readonly #random: Random;
  readonly #tally = new Tally();
  readonly #findings = new Findings();
  readonly #rss: number[] = [];
  readonly #since = performance.now();
  #played = 0;
  /** How the server ended by itself, and what it printed. */
  #end: string | undefined;
  #complaints = 0;

  constructor(options: FuzzOptions, server: FaultServer) {
    this.#options = options;
    this.#server = server;
    this.#random = new Random(options.seed);
  }

  /** The server ended by itself. */
  end(evidence: string): void {
    this.#end = evidence;
  }

  get #isOver(): boolean {
    return this.#end !== undefined || this.#findings.count >= MAX_FAILURES;
  }

  async play(): Promise<void> {
    const { from = 0, cases } = this.#options;
    const begin = from - (from % CASES_A_PLOT);
    let checkAt = CHECK_EVERY;
    for (let first = begin; first < from + cases && !this.#isOver; first += CASES_A_PLOT) {
      await this.#playPlot(first, Math.min(first + CASES_A_PLOT, from + cases));
      if (this.#played >= checkAt) {
        await this.#check(first + CASES_A_PLOT);
        checkAt += CHECK_EVERY;
      }
    }
    await this.#check(from + cases);
    if (growsWithoutEnd(this.#rss)) this.#failLoudly(from + cases, 'its memory grows and grows');
  }

  async #playPlot(first: number, end: number): Promise<void> {
    const { atOnce = 8, giveUpAfterMs = 2_000 } = this.#options;
    const plotRandom = this.#random.fork(`plot ${first}`);
    const plot = await preparePlot(this.#server, plotRandom);
    const targets = plotRandom.sample(TARGETS, TARGETS.length);
    let next = first;
    const playOne = async (number: number) => {
      const random = this.#random.fork(String(number));
      const target = targets[number - first] as Target;
      switch (random.weighted(KINDS)) {
        case 'http':
          for (const request of makeRequests(target, plot, random)) {
            await this.#playRequest(number, request, giveUpAfterMs);
          }
          break;
        case 'raw':
          await this.#playRaw(
            number,
            makeRaw(makeRequest(target, plot, random), random),
            giveUpAfterMs,
          );
          break;
        case 'socket': {
          const socketCase = makeSocketCase(plot, random);
          const result = await playSocketCase(this.#server.port, socketCase, 2 * giveUpAfterMs);
          this.#tally.socket(result);
          if (result.problem !== undefined) {
            const bytes = Buffer.concat([handshakeOf(socketCase), ...socketCase.steps]);
            this.#fail(number, result.problem, asBytes(bytes, this.#server.port));
          }
        }
      }
      this.#played += 1;
    };
    const worker = async () => {
      while (next < end && !this.#isOver) {
        const number = next;
        next += 1;
        await playOne(number);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  async #playRequest(number: number, made: FuzzRequest, giveUpAfterMs: number): Promise<void> {
    const request = heldShortly(made);
    const waitMs = longestWaitMs(request);
    const { port } = this.#server;
    const command = () => asCommand(request, port);
    const result = await exchange({
      port,
      bytes: bytesOf(request),
      isHead: request.method === 'HEAD',
      giveUpAfterMs: giveUpAfterMs + waitMs,
      ends: !isWhole(request),
    });
    if (result.type === 'hung') return this.#fail(number, `hung: ${result.received}`, command());
    if (result.type === 'closed') {
      this.#tally.closed += 1;
      if (!mayBeCutOff(request)) this.#fail(number, 'closed without an answer', command());
      return;
    }
    const { reply, ms } = result;
    const [route] = routesAt(request.method, request.target);
    this.#tally.answer(route, reply.status, codeIn(reply), Math.max(0, ms - waitMs));
    const problem = answerProblem(request, reply);
    if (problem !== undefined) this.#fail(number, problem, command());
  }

  async #playRaw(number: number, bytes: Buffer, giveUpAfterMs: number): Promise<void> {
    const { port } = this.#server;
    const result = await exchange({ port, bytes, isHead: false, giveUpAfterMs, ends: true });
    const problem = rawProblem(result);
    this.#tally.raw(result.type === 'answered' ? result.reply.status : result.type);
    if (problem !== undefined) this.#fail(number, problem, asBytes(bytes, port));
  }

  #fail(number: number, problem: string, command: string): void {
    // If the server has ended, its end explains the failure, and is reported with its output.
    if (this.#end !== undefined) return;
    this.#add(number, `${problem}\n  ${command}`);
    this.#options.print?.(`case ${number}: ${problem}\n  ${command}`);
  }

  /** Whether the server still runs, answers, and has printed no error. */
  async #check(number: number): Promise<void> {
    const { pid, url } = this.#server;
    const output = this.#server.output();
    if (this.#end !== undefined) {
      return this.#failLoudly(number, this.#end.slice(-2_000));
    }
    const health = await fetch(`${url}/health`, { signal: AbortSignal.timeout(60_000) }).catch(
      String,
    );
    if (typeof health === 'string' || health.status !== 200) {
      return this.#failLoudly(
        number,
        `/health: ${typeof health === 'string' ? health : health.status}`,
      );
    }
    const lines = output.split('\n').filter((line) => COMPLAINT.test(line) && !NOT_OURS.test(line));
    if (lines.length > this.#complaints) {
      this.#complaints = lines.length;
      this.#failLoudly(
        number,
        `the server complained: ${lines.slice(0, 5).join('\n  ').slice(0, 3_000)}`,
      );
    }
    const rss = residentBytes(pid);
    if (rss !== undefined) this.#rss.push(rss);
    const mib = Math.round((rss ?? 0) / 2 ** 20);
    this.#options.print?.(`${this.#played} cases, ${this.#findings.count} failures, ${mib} MiB`);
  }

  #failLoudly(number: number, problem: string): void {
    this.#add(number, `${problem}\n  in one of the ${CHECK_EVERY} cases before`);
    this.#options.print?.(`before case ${number}: ${problem}`);
  }

  #add(number: number, evidence: string): void {
    this.#findings.when = `case ${number}`;
    this.#findings.add('LIM-4', '', evidence);
  }

  report(): FuzzReport {
    return {
      seed: this.#options.seed,
      cases: this.#played,
      seconds: (performance.now() - this.#since) / 1_000,
      findings: this.#findings.kept,
      rss: this.#rss,
      tally: this.#tally,
    };
  }
}

/** Without a short `wait` a hook is held for an hour. */
function heldShortly(request: FuzzRequest): FuzzRequest {
  const isHook = /^\/v1\/hooks\/claude-code(?:\?|$)/.test(request.target);
  return isHook ? { ...request, target: '/v1/hooks/claude-code?wait=1' } : request;
}

function longestWaitMs({ target, headers }: FuzzRequest): number {
  // A test message waits for its receiver, and the name of this one may be looked up in vain for long.
  if (/^\/v1\/targets\/[^/]+\/test(?:\?|$)/.test(target)) return LIMITS.webhookMs;
  const asks = headers.some(([name, value]) => name === 'Prefer' && value.includes('wait=1'));
  return asks || target.includes('wait=') ? 1_000 : 0;
}
