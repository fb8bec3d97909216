/**
 * A session whose timers follow its clock, for requests that wait for a tool call. `crash` loses what waits in memory, as
 * kill -9 does.
 */
import type { Correlate } from '../../src/protocol/schema/correlate.ts';
import type { Caller } from '../../src/protocol/caller.ts';
import type { CommandOf } from '../../src/protocol/schema/command.ts';
import type { AppendedEvent } from '../../src/protocol/schema/event.ts';
import type { Interaction } from '../../src/protocol/schema/interaction.ts';
import type { HandleResult } from '../../src/session/command-result.ts';
import { append, COLOR } from './asks.ts';
import { agent } from './callers.ts';
import { microtasks } from './hand-queue.ts';
import { sessionAfter } from './session-storage.ts';
import type { SessionWorld } from './session-world.ts';

export const HOLDPOINT_ASK = { plugin: 'holdpoint', operation: 'ask', tool: 'holdpoint_ask' };

/** An opening of the command line: it has words and no tool call id. */
export function askByWords(
  correlate: Correlate,
  common: Partial<CommandOf<'interaction.open'>['common']> = {},
): CommandOf<'interaction.open'> {
  return {
    type: 'interaction.open',
    common: { toolName: 'questions_ask', kind: 'question', correlate, ...common },
    request: { questions: [COLOR] },
  };
}

export function toolCall(
  toolCallId: string,
  command: string,
  more: { readonly turnId?: string; readonly responseId?: string } = {},
) {
  return {
    type: 'tool_call',
    toolCallId,
    payload: { toolName: 'Bash', input: { command } },
    ...more,
  } as const;
}

export interface Asked {
  /** Undefined while it waits. */
  result?: HandleResult;
  at?: number;
}

export interface RendezvousWorld {
  readonly world: SessionWorld;
  /** Sends an opening that may wait. */
  ask(
    command: CommandOf<'interaction.open'>,
    sending?: { readonly key?: string; readonly body?: string; readonly caller?: Caller },
  ): Asked;
  /** Time passes, and every timer runs at its time. */
  pass(ms: number): Promise<void>;
  report(...events: readonly AppendedEvent[]): Promise<void>;
  crash(): void;
}

export async function rendezvousWorld(given?: SessionWorld): Promise<RendezvousWorld> {
  const world = given ?? (await sessionAfter());
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  world.later.add = (ms, work) => {
    const timer = { at: world.now + ms, work };
    timers.push(timer);
    return () => {
      timers = timers.filter((one) => one !== timer);
    };
  };
  const pass = async (ms: number) => {
    const end = world.now + ms;
    await microtasks();
    for (;;) {
      const [next] = timers.toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > end) break;
      timers = timers.filter((one) => one !== next);
      world.now = Math.max(world.now, next.at);
      next.work();
      await microtasks();
    }
    world.now = end;
  };
  return {
    world,
    pass,
    ask(command, { key, body, caller = agent() } = {}) {
      const asked: Asked = {};
      const bodyHash = body ?? JSON.stringify(command);
      void world.session.rendezvous
        .handle(command, {
          caller,
          timeouts: world.timeouts,
          ...(key !== undefined && { idempotency: { key, bodyHash } }),
        })
        .then((result) => Object.assign(asked, { result, at: world.now }));
      return asked;
    },
    async report(...events) {
      world.must(append(...events));
      await pass(0);
    },
    crash() {
      timers = [];
      world.restart();
    },
  };
}

/** The interaction of an opening that was accepted. */
export function interactionOf({ result }: Asked): Interaction {
  if (result?.ok !== true || !('interaction' in result.body)) {
    throw new Error(`Not opened: ${JSON.stringify(result)}`);
  }
  const { interaction } = result.body;
  if (interaction === undefined) throw new Error('No interaction');
  return interaction;
}
