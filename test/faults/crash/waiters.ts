/** Agents that wait for an outcome: each receives it, however often the server is killed. */
import type { Body } from '../../support/attempt.ts';
import type { TestedSession } from './tested-session.ts';
import type { CrashContext } from './crash-context.ts';

interface Waiting {
  readonly session: TestedSession;
  readonly interactionId: string;
}

/** More waiters would only wait longer; each costs two connections. */
const AT_ONCE = 96;

export class Waiters {
  readonly #context: CrashContext;
  readonly #waiting = new Set<Waiting>();
  readonly #polls = new Set<Promise<void>>();
  readonly #asking = new Set<Promise<unknown>>();
  #isOver = false;

  constructor(context: CrashContext) {
    this.#context = context;
  }

  /** Waiters whose interaction is settled in the log. */
  get late(): readonly Waiting[] {
    return [...this.#waiting].filter(({ session, interactionId }) => {
      const known = session.copy.interactions.get(interactionId);
      return known !== undefined && known.outcome !== null;
    });
  }

  wait(session: TestedSession, interactionId: string, seconds: number): void {
    if (this.#waiting.size >= AT_ONCE) return;
    const waiting = { session, interactionId };
    this.#waiting.add(waiting);
    const poll = this.#poll(waiting, seconds).finally(() => {
      this.#waiting.delete(waiting);
      this.#polls.delete(poll);
    });
    this.#polls.add(poll);
    // Only `end` awaits the promise.
    poll.catch(() => {});
  }

  /** An agent whose opening request waits for the outcome, while its client continues. */
  alongside(asking: Promise<unknown>): void {
    this.#asking.add(asking);
    const done = () => this.#asking.delete(asking);
    asking.then(done, done);
  }

  /** Call only when no interaction is open, so that every wait has ended. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#asking, ...this.#polls]);
  }

  async #poll({ session, interactionId }: Waiting, seconds: number): Promise<void> {
    while (!this.#isOver) {
      const { status, body, text } = await this.#context.read(
        `${session.path}/interactions/${interactionId}?wait=${seconds}`,
        { token: this.#context.tokens.agent, timeoutMs: (seconds + 10) * 1_000 },
      );
      if (status !== 200) {
        const evidence = `waiting for ${interactionId} was answered ${status}: ${text}`;
        this.#context.findings.add('ODD', session.id, evidence);
        return;
      }
      if (body.settled !== true) continue;
      this.#context.counts.waitersServed += 1;
      const claim = { what: 'waiter', interactionId, ...outcomeOf(body) };
      session.claims.push(claim);
      session.fresh.push(claim);
      return;
    }
  }
}

export function outcomeOf({ interaction }: Body) {
  return typeof interaction?.outcome === 'string' ? { outcome: interaction.outcome } : {};
}
