/**
 * The shared state of a crash test: the server's address, the random source, the findings and the counts.
 *
 * Every change goes through `perform`. It repeats a request with the same idempotency key until there is an answer,
 * because a kill leaves open whether the server executed the request.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, type Ask, attempt } from '../../support/attempt.ts';
import type { Findings } from '../../support/findings.ts';
import type { SeenEvents } from '../../support/seen-events.ts';
import type { Random } from '../../support/random.ts';
import { Counts } from './counts.ts';
import type { MarkOf } from './marks.ts';
import type { Uptime } from './uptime.ts';

export interface Tokens {
  readonly admin: string;
  readonly agent: string;
  readonly people: readonly [string, string];
}

export interface ContextParts {
  readonly origin: string;
  readonly tokens: Tokens;
  readonly findings: Findings;
  readonly seenEvents: SeenEvents;
  readonly random: Random;
  readonly uptime: Uptime;
}

/** A 503 allows the client to repeat the request, so a repeat must eventually succeed. */
const REFUSED_FOR_EVER = 100;

/** If a running server has not answered by then, in any number of tries, the request hangs. */
const PATIENCE_MS = 60_000;

/** An answer, and the number of earlier tries in doubt. */
export type Performed = Answered & { readonly doubts: number };

export class CrashContext {
  readonly origin: string;
  readonly tokens: Tokens;
  readonly findings: Findings;
  readonly seenEvents: SeenEvents;
  readonly random: Random;
  readonly uptime: Uptime;
  readonly counts = new Counts();
  readonly #backoff: Random;
  isAbandoned = false;
  #used = 0;

  constructor({ origin, tokens, findings, seenEvents, random, uptime }: ContextParts) {
    this.origin = origin;
    this.tokens = tokens;
    this.findings = findings;
    this.seenEvents = seenEvents;
    this.random = random;
    this.uptime = uptime;
    this.#backoff = random.fork('backoff');
  }

  /** A new text that occurs in no other request. */
  mark(of: MarkOf): string {
    return `${of}-${this.#fresh()}`;
  }

  key(): string {
    return `request-${this.random.seed}-${this.#fresh()}`.replace(/[^A-Za-z0-9_-]/g, '_');
  }

  name(prefix: string): string {
    return `${prefix}-${this.#fresh()}`;
  }

  #fresh(): string {
    this.#used += 1;
    return this.#used.toString(36);
  }

  async perform(ask: Ask): Promise<Performed> {
    const answered = await this.#untilAnswered(ask);
    this.counts.acked += 1;
    if (answered.doubts > 0) this.counts.doubted += 1;
    return answered;
  }

  /** Like `perform`, for reads, which are not counted. */
  async read(path: string, ask: Partial<Ask> = {}): Promise<Performed> {
    return this.#untilAnswered({ method: 'GET', path, token: this.tokens.admin, ...ask });
  }

  /** Makes every further try fail, because there is no server any more. */
  abandon(evidence: string): void {
    if (this.isAbandoned) return;
    this.isAbandoned = true;
    this.findings.add('I14', '', evidence);
  }

  async #untilAnswered(ask: Ask): Promise<Performed> {
    const from = Date.now();
    for (let doubts = 0, refusals = 0; ; await sleep(this.#backoff.int(5, 25))) {
      if (this.uptime.between(from, Date.now()) > PATIENCE_MS + (ask.timeoutMs ?? 0)) {
        this.abandon(`${ask.method} ${ask.path} is never answered`);
      }
      if (this.isAbandoned) throw new Error('The run was abandoned');
      const life = this.uptime.lives;
      const tried = await attempt(this.origin, ask);
      if (tried.type === 'answered') {
        const { status } = tried;
        this.counts.status(status);
        if (status >= 500 && status !== 503) {
          this.findings.add('I14', ask.path, `${ask.method} ${status}: ${tried.text}`);
        }
        if (status !== 503) return { ...tried, doubts };
        this.counts.unavailable += 1;
        doubts += 1;
        refusals += 1;
        if (refusals < REFUSED_FOR_EVER) continue;
        this.findings.add(
          'I14',
          ask.path,
          `${ask.method} is never anything but 503: ${tried.text}`,
        );
        return { ...tried, doubts };
      } else if (tried.type === 'in-doubt') {
        doubts += 1;
        const isSameLife = life === this.uptime.lives && this.uptime.isUp;
        if (tried.timedOut && isSameLife) {
          this.findings.add('I14', ask.path, `${ask.method} hangs: ${tried.cause}`);
        }
      } else {
        this.counts.notTried += 1;
      }
    }
  }
}
