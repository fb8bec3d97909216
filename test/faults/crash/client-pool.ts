/** The clients of a crash test: each performs one action after another until `rest`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';

export interface PoolClient {
  readonly name: string;
  readonly random: Random;
  act(): Promise<void>;
}

/** Short enough to keep the server busy, long enough that many clients get their turn. */
const THINK_MS = 20;

export class ClientPool {
  readonly #busy = new Set<string>();
  #loops: Promise<void>[] = [];
  #isResting = true;
  #isOver = false;
  #failure: unknown;

  start(members: readonly PoolClient[]): void {
    this.#isResting = false;
    this.#loops = members.map((member) => this.#loop(member));
  }

  /** Resolves when every client has finished its current action, including the reply. */
  async rest(): Promise<void> {
    this.#isResting = true;
    while (this.#busy.size > 0) await sleep(2);
    if (this.#failure !== undefined) throw this.#failure;
  }

  resume(): void {
    this.#isResting = false;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #loop(member: PoolClient): Promise<void> {
    while (!this.#isOver && this.#failure === undefined) {
      if (!this.#isResting) {
        this.#busy.add(member.name);
        await member.act().catch((error: unknown) => (this.#failure ??= error));
        this.#busy.delete(member.name);
      }
      await sleep(member.random.int(0, THINK_MS));
    }
  }
}
