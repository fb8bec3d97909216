/** Agents that wait for an outcome: whatever dies meanwhile, each hears how it ended. */
import type { Body } from '../../support/attempt.ts';
import type { TestedSession } from './tested-session.ts';
import type { CrashContext } from './crash-context.ts';

interface Waiting {
  readonly session: TestedSession;
  readonly interactionId: string;
}

/** More would only wait longer; each costs two connections. */
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

  /** Those who are still waiting for what the log says is over. */
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
    // Who reads it is `end`, and not before then.
    poll.catch(() => {});
  }

  /** An agent that waits in the request it asks with; its client goes on meanwhile. */
  alongside(asking: Promise<unknown>): void {
    this.#asking.add(asking);
    const done = () => this.#asking.delete(asking);
    asking.then(done, done);
  }

  /** Once nothing is open any more, so that nobody has anything left to wait for. */
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
