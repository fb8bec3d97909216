/** Agents that call tools and ask, and people who answer, connected without the proxy while the client is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpTransport } from '../../../../src/client/http-transport.ts';
import type { Interaction } from '../../../../src/protocol/types.ts';
import type { Random } from '../../../support/random.ts';

const AGENTS = 3;
const PAUSE_MS = 30;
const QUESTION = {
  header: 'Pick',
  question: 'Which color?',
  options: [{ label: 'Red' }, { label: 'Blue' }],
  multiSelect: false,
};

export interface Traffic {
  readonly opened: number;
  readonly settled: number;
  stop(): Promise<void>;
}

/** Two credentials, because the credential that asks may not answer. */
export interface Sides {
  readonly agent: HttpTransport;
  readonly person: HttpTransport;
}

export function keepAsking(sides: Sides, session: string, random: Random): Traffic {
  const count = { opened: 0, settled: 0 };
  const stopping = new AbortController();
  const agents = Array.from({ length: AGENTS }, async (_, agent) => {
    const mine = random.fork(`agent ${agent}`);
    for (let turn = 1; !stopping.signal.aborted; turn += 1) {
      await takeTurn(sides, session, `${agent}-${turn}`, mine, count);
      await sleep(mine.int(0, PAUSE_MS));
    }
  });
  const done = Promise.all(agents);
  done.catch(() => {});
  return {
    get opened() {
      return count.opened;
    },
    get settled() {
      return count.settled;
    },
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

/** A call that asks, gets an answer after some time, and then usually a result. */
async function takeTurn(
  { agent, person }: Sides,
  session: string,
  name: string,
  random: Random,
  count: { opened: number; settled: number },
): Promise<void> {
  const toolCallId = `call-${name}`;
  const isQuestion = random.chance(0.4);
  const toolName = isQuestion ? 'AskUserQuestion' : 'Bash';
  const of = { responseId: `response-${name}` };
  await agent.appendEvents(session, [
    { type: 'assistant_text', payload: { text: `Now ${name}` }, ...of },
    { type: 'tool_call', payload: { toolName, input: { name } }, toolCallId, ...of },
  ]);
  const ask = { toolName, toolCallId, ...of };
  const opened = isQuestion
    ? await agent.open(session, { ...ask, kind: 'question', questions: [QUESTION] })
    : await agent.open(session, { ...ask, kind: 'approval', input: { name } });
  if (opened.type === 'decided') return;
  count.opened += 1;
  await sleep(random.int(0, PAUSE_MS * 4));
  // Some interactions stay open for the rest of the run.
  if (random.chance(0.02)) return;
  if (await settle(person, session, opened.interaction, random)) count.settled += 1;
  if (random.chance(0.2)) return;
  const result = { type: 'tool_result', payload: { output: name, isError: false } } as const;
  await agent.appendEvents(session, [{ ...result, toolCallId, ...of }]);
}

async function settle(
  transport: HttpTransport,
  session: string,
  { interactionId, toolCallId, kind }: Interaction,
  random: Random,
): Promise<boolean> {
  if (random.chance(0.15)) {
    await transport.cancel(session, interactionId, { reason: 'not needed' });
    return true;
  }
  if (kind === 'question') await transport.submitAnswers(session, toolCallId, { 0: 'Red' });
  else if (random.chance(0.5)) await transport.approveTool(session, toolCallId);
  else await transport.denyTool(session, toolCallId, 'No');
  return true;
}
