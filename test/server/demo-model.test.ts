/**
 * Every scenario of the demo model over HTTP, from start to end: in the process without a key, and over the network with
 * a key and an address.
 *
 * A bug here looks like a first visit where nothing happens, or like a demo model on another path than a real model:
 * then a trial with the demo model proves nothing.
 */
import { afterAll, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { SCENARIOS } from '../../src/platform/demo-model/scenarios.ts';
import {
  type AgentSession,
  type Answers,
  agentSession,
  outline,
} from '../support/http/agent-session.ts';
import { sharedServer, startServer } from '../support/http/server.ts';
import { startDemoServer } from '../support/messages-api/demo-server.ts';
import { countFor } from '../support/run-length.ts';

const remote = await startDemoServer();
afterAll(() => remote.stop());
const inWorker = await sharedServer({ HOLDPOINT_DEMO: '1' });
const overNetwork = await startServer(
  { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: remote.url },
  { allowPrivateNetwork: true },
);

interface Scenario {
  readonly word: string;
  readonly settings?: JsonObject;
  readonly answers?: Answers;
  readonly turns?: number;
  readonly asked: readonly string[];
  /** Part of the last text of the model. */
  readonly ends: string;
  readonly also?: (session: AgentSession) => Promise<void>;
}

const approve: Answers = () => ({ decision: 'approve' });
const EDITED = 'Dear all,\n\nwe meet on Thursday at 9.\n';
const fileOf = (path: string) => async (session: AgentSession) => {
  const { file } = await session.get<{ file: { content: string } }>(`/files?path=${path}`);
  return file.content;
};

/** Once adjusted, then approved with a clear context. */
function reviews({ request }: InteractionView): JsonObject {
  return JSON.stringify(request['plan']).includes('count twice')
    ? { decision: 'clean_edit' }
    : { decision: 'adjust', feedback: 'Please count twice' };
}

const PLAYED: readonly Scenario[] = [
  {
    word: 'questions',
    answers: () => ({ answers: { '0': 'SQLite', '1': ['Tests', 'Types'] } }),
    asked: ['AskUserQuestion'],
    ends: '["Tests","Types"]',
  },
  {
    word: 'write',
    answers: approve,
    asked: ['Write'],
    ends: 'Done. The tool reported',
    also: async (session) => expect(await fileOf('hello.md')(session)).toContain('# Hello'),
  },
  {
    word: 'edit',
    answers: () => ({
      decision: 'approve',
      updatedInput: { path: 'invitation.txt', content: EDITED },
    }),
    asked: ['Write'],
    ends: 'What ran is what you approved',
    also: async (session) => expect(await fileOf('invitation.txt')(session)).toBe(EDITED),
  },
  {
    word: 'deny',
    answers: () => ({ decision: 'deny', reason: 'Releases are kept' }),
    asked: ['Write'],
    ends: 'Releases are kept',
  },
  {
    word: 'plan',
    settings: { permissionMode: 'plan' },
    answers: reviews,
    turns: 2,
    asked: ['ExitPlanMode', 'ExitPlanMode'],
    ends: 'it is all I remember',
  },
  {
    word: 'parallel',
    settings: { permissionMode: 'default' },
    answers: approve,
    asked: ['Write', 'Write'],
    ends: 'Both came back together',
  },
  {
    word: 'fail',
    answers: approve,
    asked: ['Read', 'Edit'],
    ends: 'I would create the file first',
  },
  { word: 'long', asked: [], ends: 'That is the end of the long answer.' },
];

async function played(
  server: { url: string },
  scenario: Scenario,
): Promise<readonly SessionEvent[]> {
  const session = await agentSession(server, scenario.settings);
  await session.send(`Show me ${scenario.word}, please`);
  const events = await session.tend(scenario.answers ?? approve, scenario.turns);
  await scenario.also?.(session);
  return events;
}

/** The short run plays the questions and the plan. */
const EVERY = countFor({ quick: 4, long: 1 });

it.concurrent.each(PLAYED.filter((_, index) => index % EVERY === 0))(
  '[RUN-1, RUN-8, RUN-9] $word, here and over the network',
  async (scenario) => {
    const [here, there] = await Promise.all([
      played(inWorker, scenario),
      played(overNetwork, scenario),
    ]);
    const asked = here.flatMap((event) =>
      event.type === 'interaction_request' ? [event.payload.toolName] : [],
    );
    expect(asked).toEqual(scenario.asked);
    const texts = here.flatMap((event) =>
      event.type === 'assistant_text' ? [event.payload.text] : [],
    );
    expect(texts.at(-1)).toContain(scenario.ends);
    expect(here.at(-1)).toMatchObject({ type: 'turn_ended', payload: { reason: 'completed' } });
    expect(outline(there)).toEqual(outline(here));
  },
);

it('[RUN-9] plays every scenario, and answers any other text with the list of scenarios', async () => {
  expect(PLAYED.map(({ word }) => word).toSorted()).toEqual(
    SCENARIOS.map(({ word }) => word).toSorted(),
  );
  const events = await played(overNetwork, { word: 'around', asked: [], ends: '' });
  const text = events.find(({ type }) => type === 'assistant_text');
  for (const { word } of SCENARIOS) expect(JSON.stringify(text)).toContain(`**${word}**`);
});

it('[RUN-9] sends over the network nothing that the API would refuse', () => {
  expect(remote.statuses.length).toBeGreaterThan(PLAYED.length / EVERY);
  expect(new Set(remote.statuses)).toEqual(new Set([200]));
});
