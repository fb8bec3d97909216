/** An agent that asks new questions, repeats them, replaces them, waits for outcomes and gives up waiting. */
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { Random } from '../../support/random.ts';
import { type BatchPart, batchOperation, UNREADABLE } from './batch-operation.ts';
import { request } from './bodies.ts';
import type { PoolClient } from './client-pool.ts';
import type { SeenInteraction } from './seen-session.ts';
import type { Operation, TestedSession } from './tested-session.ts';
import { interactionIn, settledOutcome } from './reply-claims.ts';
import type { Waiters } from './waiters.ts';
import type { CrashContext } from './crash-context.ts';

/** Open questions in a session. The server allows 64; fewer let people race for the same ones. */
const OPEN_AT_MOST = { mixed: 24, approvals: 2 } as const;

const ACTIONS = {
  ask: 50,
  askSeveral: 12,
  askAgain: 8,
  reprompt: 10,
  cancel: 6,
  finishTool: 6,
  wait: 10,
} as const;

export class AgentClient implements PoolClient {
  readonly name: string;
  readonly random: Random;
  readonly #context: CrashContext;
  readonly #waiters: Waiters;
  readonly #session: () => TestedSession;
  /** Tool calls that are never reprompted, with their questions. */
  #constant: { session: TestedSession; toolCallId: string; body: JsonObject }[] = [];

  constructor(name: string, context: CrashContext, waiters: Waiters, session: () => TestedSession) {
    this.name = name;
    this.random = context.random.fork(name);
    this.#context = context;
    this.#waiters = waiters;
    this.#session = session;
  }

  async act(): Promise<void> {
    const session = this.#session();
    const open = [...session.seen.open.values()];
    const any = this.random.pick(open);
    const action = this.random.weighted(ACTIONS);
    if (action === 'askAgain') return this.#askAgain(session);
    if (action === 'askSeveral') return this.#askSeveral(session);
    if (any === undefined || action === 'ask') {
      if (open.length < OPEN_AT_MOST[session.flavor]) await this.#ask(session);
      return;
    }
    if (action === 'reprompt') return this.#reprompt(session, any);
    if (action === 'cancel') return this.#cancel(session, any);
    if (action === 'finishTool') return this.#finishTool(session, any);
    this.#waiters.wait(session, any.id, this.random.pick([2, 10, 55]));
  }

  async #ask(session: TestedSession): Promise<void> {
    const mark = this.#context.mark('ask');
    const isNamed = this.random.chance(0.7);
    const isConstant = isNamed && this.random.chance(0.6);
    // The name of a tool call shows whether it may be reprompted later.
    const toolCallId = this.#context.name(isConstant ? 'constant' : 'call');
    const { turnId } = session.seen;
    const body = {
      ...request(this.random, session.flavor, mark),
      ...(isNamed && { toolCallId }),
      ...(turnId !== undefined && this.random.chance(0.3) && { turnId }),
      ...(this.random.chance(0.03) && { detached: true }),
    };
    const wait = this.random.chance(0.25) ? this.random.int(1, 4) : undefined;
    const asking = session.perform(this.#opening(session, mark, body, wait));
    if (wait !== undefined) return this.#waiters.alongside(asking);
    const { status, body: reply } = await asking;
    const id = reply.interaction?.interactionId;
    if (id === undefined) return;
    if (status === 201 && isConstant) this.#remember(session, toolCallId, body);
    if (this.random.chance(0.5)) this.#waiters.wait(session, id, this.random.pick([2, 10, 55]));
  }

  /** Parallel calls: new ones, mostly with one that was asked before, asks about the same call, or cannot be read. */
  async #askSeveral(session: TestedSession): Promise<void> {
    const room = OPEN_AT_MOST[session.flavor] - session.seen.open.size;
    if (room < 2) return;
    const parts: BatchPart[] = Array.from({ length: Math.min(room, this.random.int(2, 5)) }, () => {
      const mark = this.#context.mark('ask');
      const toolCallId = this.#context.name('call');
      return { mark, body: { ...request(this.random, session.flavor, mark), toolCallId } };
    });
    const constant = this.#constant.filter((question) => question.session === session);
    const again = this.random.pick(constant);
    if (again !== undefined && this.random.chance(0.4)) parts.push({ body: again.body });
    if (this.random.chance(0.3)) parts.push(UNREADABLE);
    if (this.random.chance(0.2)) parts.push(this.#aboutTheSame(session, parts));
    const shuffled = this.random.sample(parts, parts.length);
    const wait = this.random.chance(0.25) ? this.random.int(1, 4) : undefined;
    const asking = session.perform(batchOperation(this.#context, session, shuffled, wait));
    this.#context.counts.batches += 1;
    if (wait !== undefined) return this.#waiters.alongside(asking);
    await asking;
  }

  /** Another question about the call of one of them, which the batch refuses. */
  #aboutTheSame(session: TestedSession, parts: readonly BatchPart[]): BatchPart {
    const mark = this.#context.mark('ask');
    const toolCallId = parts[0]?.body['toolCallId'] ?? null;
    return { mark, body: { ...request(this.random, session.flavor, mark), toolCallId } };
  }

  #opening(session: TestedSession, mark: string, body: JsonObject, wait?: number): Operation {
    const what = `open ${JSON.stringify([body.kind, body.toolCallId])}`;
    return {
      what,
      ask: {
        method: 'POST',
        path: `${session.path}/interactions`,
        token: this.#context.tokens.agent,
        key: this.#context.key(),
        body,
        ...(wait !== undefined && { wait }),
      },
      statuses: [200, 201, 429],
      claims: (answered) => {
        if (answered.status === 429) return [{ what, mark, times: 0 }];
        if (answered.status === 200 && answered.body.interaction !== undefined) {
          // The mark is new, so no earlier interaction could be returned.
          this.#context.findings.add(
            'I6',
            session.id,
            `${what} was made by another request: ${answered.text}`,
          );
        }
        return [{ what, mark, times: 1, ...interactionIn(answered) }];
      },
    };
  }

  #remember(session: TestedSession, toolCallId: string, body: JsonObject): void {
    this.#constant = this.#constant.filter((question) => question.session === session).slice(-20);
    this.#constant.push({ session, toolCallId, body });
  }

  /** Uses another key, like an agent that restarted and knows only its tool call. */
  async #askAgain(session: TestedSession): Promise<void> {
    const again = this.random.pick(
      this.#constant.filter((question) => question.session === session),
    );
    if (again === undefined) return;
    const { toolCallId, body } = again;
    const what = `the same again for ${toolCallId}`;
    const answered = await session.perform({
      what,
      ask: {
        method: 'POST',
        path: `${session.path}/interactions`,
        token: this.#context.tokens.agent,
        key: this.#context.key(),
        body,
      },
      statuses: [200, 201, 429],
      claims: (answered) => [{ what, ...interactionIn(answered) }],
    });
    const { interaction } = answered.body;
    if (interaction !== undefined && interaction.interactionId !== `${toolCallId}~1`) {
      this.#context.findings.add('I6', session.id, `${what} became ${interaction.interactionId}`);
    }
  }

  async #reprompt(session: TestedSession, open: SeenInteraction): Promise<void> {
    if (open.toolCallId.startsWith('constant')) return;
    const mark = this.#context.mark('ask');
    const body = {
      ...request(this.random, session.flavor, mark),
      toolCallId: open.toolCallId,
      errorSummary: 'Look again',
    };
    await session.perform(this.#opening(session, mark, body));
  }

  async #cancel(session: TestedSession, open: SeenInteraction): Promise<void> {
    const reason = this.#context.mark('stop');
    const what = `cancel ${open.id}`;
    await session.perform({
      what,
      ask: {
        method: 'DELETE',
        path: `${session.path}/interactions/${open.id}`,
        token: this.#context.tokens.agent,
        body: { reason },
      },
      statuses: [200, 409],
      claims: ({ status, doubts, body }) =>
        status === 200
          ? [{ what, mark: reason, times: 1, interactionId: open.id, outcome: 'cancelled' }]
          : [
              {
                what,
                mark: reason,
                // The request carries no key, so the 409 may report the effect of its own first try.
                times: doubts > 0 ? 'at most once' : 0,
                interactionId: open.id,
                ...settledOutcome(body.error?.details),
              },
            ],
    });
  }

  async #finishTool(session: TestedSession, open: SeenInteraction): Promise<void> {
    const mark = this.#context.mark('tell');
    const what = `result of ${open.toolCallId}`;
    await session.perform({
      what,
      ask: {
        method: 'POST',
        path: `${session.path}/events`,
        token: this.#context.tokens.agent,
        key: this.#context.key(),
        body: {
          events: [
            {
              type: 'tool_result',
              toolCallId: open.toolCallId,
              payload: { output: mark, isError: this.random.chance(0.5) },
            },
          ],
        },
      },
      statuses: [201],
      claims: () => [{ what, mark, times: 1 }],
    });
  }
}
