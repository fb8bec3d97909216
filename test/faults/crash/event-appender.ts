/** An agent that tells what it does: turns, texts, tool calls, in batches that are whole or not there. */
import type { Random } from '../../support/random.ts';
import type { CrewMember } from './client-pool.ts';
import type { TestedSession } from './tested-session.ts';
import type { World } from './crash-context.ts';

const BATCHES = { start: 8, say: 60, work: 26, end: 4, 'end whatever runs': 2, fail: 2 } as const;

export class Teller implements CrewMember {
  readonly name: string;
  readonly random: Random;
  readonly #world: World;
  readonly #session: () => TestedSession;

  constructor(name: string, world: World, session: () => TestedSession) {
    this.name = name;
    this.random = world.random.fork(name);
    this.#world = world;
    this.#session = session;
  }

  async act(): Promise<void> {
    const session = this.#session();
    const mark = this.#world.mark('tell');
    const events = this.#batch(session, mark);
    const what = `append ${events.length}`;
    await session.perform({
      what,
      ask: {
        method: 'POST',
        path: `${session.path}/events`,
        token: this.#world.tokens.agent,
        key: this.#world.key(),
        body: { events },
      },
      statuses: [201],
      claims: () => [{ what, mark, times: events.length }],
    });
  }

  /** Every event of it carries the mark: half a batch would be counted. */
  #batch(session: TestedSession, mark: string) {
    const { turnId } = session.seen;
    const inTurn = turnId === undefined ? {} : { turnId };
    const text = { type: 'assistant_text', ...inTurn, payload: { text: `${mark} so be it` } };
    switch (this.random.weighted(BATCHES)) {
      case 'start':
        return [
          { type: 'turn_started', turnId: this.#world.name('turn'), payload: { title: mark } },
        ];
      case 'end':
        return [{ type: 'turn_ended', ...inTurn, payload: { reason: 'completed', message: mark } }];
      case 'end whatever runs':
        return [{ type: 'turn_ended', payload: { reason: 'completed', message: mark } }];
      case 'fail':
        return [{ type: 'error', payload: { message: mark } }];
      case 'work': {
        const toolCallId = this.#world.name('work');
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
