/**
 * One request of a person that answers in several sessions, through the code of `POST /v1/inbox/decide`.
 *
 * The request, each call to a session and each answer on its way can be lost by itself. The person then repeats the whole
 * request with its key: an answer that was given keeps its first result, and the others are given.
 */
import { decideInbox } from '../../src/http/decide-inbox.ts';
import type { Caller } from '../../src/protocol/caller.ts';
import type { CommandOf, Context, InboxDecision } from '../../src/protocol/schema/command.ts';
import { writeResult } from '../../src/session/command-result.ts';
import { type Body, normalizeBody } from './normalize.ts';
import type { GeneratedCommand, Operation, Outcome } from './operation.ts';
import type { Handled } from './operations.ts';
import type { SessionHost } from './session-host.ts';
import type { Simulation } from './simulation.ts';

export interface PlacedAnswer {
  readonly session: SessionHost;
  readonly generated: GeneratedCommand & {
    readonly command: CommandOf<'interaction.answer'>;
  };
}

type Attempts = Map<Operation, Handled>;
type Parsed = ({ ok: true } & Body) | { ok: false; error: { code: string; details?: object } };

export class InboxRequest {
  readonly #simulation: Simulation;
  readonly #caller: Caller;
  readonly #key: string;
  readonly #decisions: readonly InboxDecision[];
  readonly #operations: readonly Operation[];

  /** Each answer is an operation of its own, under the key that the request gives it. */
  constructor(simulation: Simulation, caller: Caller, answers: readonly PlacedAnswer[]) {
    const { operations } = simulation;
    this.#simulation = simulation;
    this.#caller = caller;
    this.#key = `key-${operations.all.length}-together`;
    this.#decisions = answers.map(({ session, generated: { command } }) => {
      const { target, answer } = command;
      if (!('interactionId' in target)) throw new Error('The inbox names interactions');
      return { sessionId: session.id, interactionId: target.interactionId, answer };
    });
    this.#operations = answers.map(({ session, generated }, index) =>
      operations.add(session, generated, {
        key: `${this.#key} ${index}`,
        by: undefined,
        isNear: false,
        together: this,
      }),
    );
  }

  send(): void {
    const { network, operations } = this.#simulation;
    for (const operation of this.#operations) operations.noteAttempt(operation);
    const attempts: Attempts = new Map();
    network.call<readonly string[]>(
      'answers in several sessions',
      'client',
      (reply, fail) => void this.#decide(attempts).then(reply, fail),
      {
        reply: (texts) => this.#receive(texts, attempts),
        fail: () => {
          for (const operation of this.#operations) operations.doubt(operation);
        },
      },
    );
  }

  #decide(attempts: Attempts): Promise<string[]> {
    const bodyHash = JSON.stringify(this.#decisions);
    return decideInbox(this.#decisions, {
      ports: {
        findSession: async (_workspace, id) => ({
          ok: true,
          session: {
            handle: async (_command, context) => {
              const operation = this.#operationOf(context, id);
              const attempt = await this.#call(operation, context);
              attempts.set(operation, attempt);
              return writeResult(attempt.result);
            },
          },
        }),
        warn: () => undefined,
      },
      identity: { workspace: 'acme' },
      context: { caller: this.#caller, timeouts: {}, idempotency: { key: this.#key, bodyHash } },
      requestId: this.#key,
    });
  }

  #operationOf({ idempotency }: Context, sessionId: string): Operation {
    const found = this.#operations.find(
      ({ key, session }) => key === idempotency?.key && session.id === sessionId,
    );
    this.#simulation.judge.hold(
      found !== undefined,
      'together',
      () => `no answer goes to ${sessionId} as ${idempotency?.key}`,
    );
    if (found === undefined)
      throw new Error(`No answer goes to ${sessionId} as ${idempotency?.key}`);
    return found;
  }

  #call(operation: Operation, context: Context) {
    const { network, operations } = this.#simulation;
    return new Promise<Handled>((resolve, reject) => {
      network.call<Handled>(
        `an answer for ${operation.session.id}`,
        'client',
        (reply, fail) =>
          operation.session.host.serve(() => operations.handle(operation, context), reply, fail),
        { reply: resolve, fail: reject },
      );
    });
  }

  /** One result for each answer, in their order; a session that did not reply leaves its answer in doubt. */
  #receive(texts: readonly string[], attempts: Attempts): void {
    const { judge, operations, tally } = this.#simulation;
    tally.decidedTogether += 1;
    judge.hold(texts.length === this.#operations.length, 'together', () => texts.join());
    for (const [index, operation] of this.#operations.entries()) {
      const attempt = attempts.get(operation);
      if (attempt === undefined) {
        operations.doubt(operation);
        continue;
      }
      const outcome = outcomeIn(texts[index] ?? '{}');
      const [given, shown] = [attempt.result as Outcome, outcome].map(normalizeOutcome);
      judge.hold(given === shown, 'together', () => `answer ${index} is ${shown}, was ${given}`);
      operations.receive(operation, attempt, outcome);
    }
  }
}

function outcomeIn(text: string): Outcome {
  const parsed = JSON.parse(text) as Parsed;
  if (!parsed.ok) return { ok: false, ...parsed.error } as Outcome;
  const { ok, ...body } = parsed;
  return { ok, body };
}

function normalizeOutcome(outcome: Outcome): string {
  return outcome.ok ? normalizeBody(outcome.body) : outcome.code;
}
