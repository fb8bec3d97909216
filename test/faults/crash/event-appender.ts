/**
 * An agent that appends events (turns, texts, tool calls) in batches, each of which must be stored whole or not at all.
 */
import type { Random } from '../../support/random.ts';
import type { PoolClient } from './client-pool.ts';
import type { TestedSession } from './tested-session.ts';
import type { CrashContext } from './crash-context.ts';

const BATCHES = { start: 8, say: 60, work: 26, end: 4, 'end whatever runs': 2, fail: 2 } as const;

export class EventAppender implements PoolClient {
  readonly name: string;
  readonly random: Random;
  readonly #context: CrashContext;
  readonly #session: () => TestedSession;

  constructor(name: string, context: CrashContext, session: () => TestedSession) {
    this.name = name;
    this.random = context.random.fork(name);
    this.#context = context;
    this.#session = session;
  }

  async act(): Promise<void> {
    const session = this.#session();
    const mark = this.#context.mark('tell');
    const events = this.#batch(session, mark);
    const what = `append ${events.length}`;
    await session.perform({
      what,
      ask: {
        method: 'POST',
        path: `${session.path}/events`,
        token: this.#context.tokens.agent,
        key: this.#context.key(),
        body: { events },
      },
      statuses: [201],
      claims: () => [{ what, mark, times: events.length }],
    });
  }

  /** Every event of the batch carries the mark, so that the count reveals half a batch. */
  #batch(session: TestedSession, mark: string) {
    const { turnId } = session.seen;
    const inTurn = turnId === undefined ? {} : { turnId };
    const text = { type: 'assistant_text', ...inTurn, payload: { text: `${mark} so be it` } };
    switch (this.random.weighted(BATCHES)) {
      case 'start':
        return [
          { type: 'turn_started', turnId: this.#context.name('turn'), payload: { title: mark } },
        ];
      case 'end':
        return [{ type: 'turn_ended', ...inTurn, payload: { reason: 'completed', message: mark } }];
      case 'end whatever runs':
        return [{ type: 'turn_ended', payload: { reason: 'completed', message: mark } }];
      case 'fail':
        return [{ type: 'error', payload: { message: mark } }];
      case 'work': {
        const toolCallId = this.#context.name('work');
        return [
          { type: 'thinking', ...inTurn, payload: { text: mark } },
          {
            type: 'tool_call',
            ...inTurn,
            toolCallId,
            payload: { toolName: 'Read', input: { file: mark } },
          },
          { type: 'tool_result', ...inTurn, toolCallId, payload: { output: mark } },
        ];
      }
      case 'say':
        return Array.from({ length: this.random.int(1, 4) }, () => text);
    }
  }
}
