/**
 * An agent that waits for one outcome by long-poll, as the stateless worker does it: a held socket,
 * and one read of the record if the socket closes without an outcome.
 */
import type { Caller } from '../../src/protocol/caller.ts';
import type { Interaction, InteractionView } from '../../src/protocol/schema/interaction.ts';
import { readInteraction } from '../../src/session/queries.ts';
import type { ReadResult } from '../../src/protocol/errors.ts';
import { type ClientEnd, Connection } from './connection.ts';
import { viewProblem } from './interaction-model.ts';
import type { SessionHost } from './session-host.ts';
import type { Simulation } from './simulation.ts';

const WAIT_MS = 55_000;

export class Waiter implements ClientEnd {
  readonly name: string;
  readonly interactionId: string;
  readonly session: SessionHost;
  readonly caller: Caller;
  state: 'coming' | 'waiting' | 'has to look' | 'looking' | 'has its outcome' | 'gave up' =
    'coming';
  readonly #simulation: Simulation;

  constructor(interactionId: string, session: SessionHost, caller: Caller, simulation: Simulation) {
    this.name = `whoever waits for ${interactionId}`;
    this.interactionId = interactionId;
    this.session = session;
    this.caller = caller;
    this.#simulation = simulation;
  }

  connect(): void {
    const { interactionId, caller } = this;
    this.state = 'waiting';
    const attached = this.session.attach(
      {
        to: 'outcome',
        interactionId,
        caller,
        attachment: {
          role: 'waiter',
          interactionId,
          until: this.#simulation.now + WAIT_MS,
          agent: true,
          root: caller.credential,
          chain: [caller.credential],
        },
      },
      this,
    );
    if (!(attached instanceof Connection)) this.state = 'gave up';
  }

  /** Reads the record once. */
  look(): void {
    this.state = 'looking';
    const { session, interactionId, caller } = this;
    this.#simulation.network.call<ReadResult<InteractionView>>(
      `${this.name} looks`,
      'client',
      (reply, fail) =>
        session.host.serve((inner) => readInteraction(inner, interactionId, caller), reply, fail),
      {
        reply: (read) => {
          if (!read.ok) this.state = 'gave up';
          else if (read.value.status === 'settled') this.#has(read.value);
          else this.state = 'has to look';
        },
        fail: () => {
          this.state = 'has to look';
        },
      },
    );
  }

  receive(text: string): void {
    const frame = JSON.parse(text) as { type: string; interaction: Interaction };
    if (frame.type === 'settled') this.#has(frame.interaction);
  }

  closed(): void {
    if (this.state === 'waiting') this.state = 'has to look';
  }

  #has(view: Interaction): void {
    const { ledger } = this.session;
    const known = ledger.model.interactions.get(this.interactionId);
    const problem = viewProblem(known, view, ledger.confirmedHead);
    const isRight = problem === undefined && view.status === 'settled';
    this.#hold(isRight, () => `is told ${view.status} ${view.outcome}: ${problem}`);
    this.#hold(this.state !== 'has its outcome', () => 'is told twice');
    this.state = 'has its outcome';
    this.#simulation.tally.outcomes += 1;
  }

  #hold(claim: boolean, evidence: () => string): void {
    this.#simulation.judge.hold(claim, 'waiter', () => `${this.name}: ${evidence()}`);
  }
}
