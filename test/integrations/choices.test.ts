/**
 * What a model reads of several choices, on every way in that runs in the process of the agent: each text is read by a
 * parser, because a label may hold whatever separates a list.
 */
import { describe, expect, it } from 'vitest';
import type { Holdpoint } from '../../src/client/agent/holdpoint.ts';
import { isObject } from '../../src/protocol/types.ts';
import { askHumanTool } from '../../src/integrations/ai-sdk/index.ts';
import { claude } from '../../src/integrations/claude/index.ts';
import { answerInterrupts } from '../../src/integrations/langgraph/index.ts';
import { serveTools } from '../../src/integrations/mcp/index.ts';
import { askHumanOptions } from '../../src/integrations/openai-agents/index.ts';
import { pair, SESSION } from '../support/agent.ts';
import { callOverStdio } from '../support/mcp-stdio.ts';

const LABELS = ['a, b', 'c', 'say "d"', 'two\nlines'] as const;
const OWN = 'mine, and\nWhich parts?: ["c"]';
const CHOSEN = [...LABELS.filter((label) => label !== 'c'), OWN];
const READ = [...CHOSEN.slice(0, -1), { ownWords: OWN }];

const QUESTION = { question: 'Which parts?', header: 'Parts', multiSelect: true };
const OPTIONS = LABELS.map((label) => ({ label, description: 'It' }));

type Way = (holdpoint: Holdpoint, options: readonly unknown[]) => Promise<unknown>;

/** Each returns the list that the model reads. */
const WAYS: Readonly<Record<string, Way>> = {
  'the client, as reply.message': async (holdpoint, options) => {
    const asked = { ...QUESTION, options: options as readonly string[] };
    return listIn((await holdpoint.ask([asked])).message);
  },
  'AI SDK': async (holdpoint, options) => {
    const tool = askHumanTool(holdpoint);
    return listIn(await tool.execute(askedInput(options), { toolCallId: 'call_1' }));
  },
  'OpenAI Agents': async (holdpoint, options) =>
    listIn(await askHumanOptions(holdpoint).execute(askedInput(options))),
  'Claude Agent SDK': async (holdpoint, options) => {
    const { canUseTool } = claude(holdpoint);
    const result = await canUseTool('AskUserQuestion', askedInput(options), {
      toolUseID: 'toolu_1',
    });
    const input = result?.behavior === 'allow' ? result.updatedInput : undefined;
    const answers = isObject(input) ? input.answers : undefined;
    const text = isObject(answers) ? answers['Which parts?'] : undefined;
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  },
  LangGraph: async (holdpoint, options) => {
    const interrupts = [{ id: 'i1', value: askedInput(options) }];
    const resumed = await answerInterrupts(holdpoint, { __interrupt__: interrupts });
    const answers = resumed?.['i1'];
    return isObject(answers) ? answers['Which parts?'] : undefined;
  },
  MCP: async (holdpoint, options) => {
    const { question, header } = QUESTION;
    const args = { question, header, multiple: true, options };
    const text = await callOverStdio((streams) => serveTools(holdpoint, { streams }), {
      name: 'ask_human',
      arguments: args,
    });
    const { answers } = JSON.parse(text) as { answers?: Record<string, unknown> };
    return answers?.['Which parts?'];
  },
};

describe.each(Object.entries(WAYS))('%s', (_way, ask) => {
  it.each([
    ['objects', OPTIONS],
    ['texts', LABELS],
  ])(
    '[QST-1, QST-11] takes %s and gives the model a list that a parser reads',
    async (_form, options) => {
      const { agent, person, onlyOpen } = pair();
      const read = ask(agent, options);
      const { interactionId, request } = await onlyOpen();
      expect(request.questions).toMatchObject([{ options: LABELS.map((label) => ({ label })) }]);
      await person.answer(SESSION, interactionId, { answers: { 0: CHOSEN } });
      expect(await read).toEqual(READ);
    },
  );
});

it('[QST-11] marks own words in place of the only choice, and where no choice was offered', async () => {
  const { agent, person, onlyOpen } = pair();
  const asked = agent.ask([
    { question: 'Where?', options: ['eu', 'us'] },
    { question: 'And here?', options: ['eu'] },
    { question: 'Why?' },
  ]);
  const { interactionId } = await onlyOpen();
  const answers = { 0: 'us', 1: 'mars', 2: 'because' };
  await person.answer(SESSION, interactionId, { answers });
  expect((await asked).message.split('\n')).toEqual([
    'Where?: ["us"]',
    'And here?: [{"ownWords":"mars"}]',
    'Why?: [{"ownWords":"because"}]',
  ]);
});

function askedInput(options: readonly unknown[]) {
  return { questions: [{ ...QUESTION, options }] };
}

/** Reads the one line of the message. */
function listIn(message: string): unknown {
  const [line = '', ...more] = message.split('\n');
  expect(more).toEqual([]);
  expect(line.startsWith('Which parts?: ')).toBe(true);
  return JSON.parse(line.slice('Which parts?: '.length));
}
