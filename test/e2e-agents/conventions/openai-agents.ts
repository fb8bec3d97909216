/** The OpenAI Agents SDK: interruptions of a run, in one process or over a kept state. */
import type { Convention } from '../convention.ts';
import { prepareExample, prepareKept } from './node-programs.ts';

const PINS = { '@openai/agents': '0.20.0', zod: '4.6.7' };

export const OPENAI_AGENTS: Convention = {
  name: 'openai-agents',
  title: 'OpenAI Agents 0.20.0',
  prepare: () => prepareExample('openai-agents', PINS),
  runCall: (command) => ({ name: 'run', input: { command } }),
  questionCall: (questions) => ({ name: 'ask_human', input: { questions } }),
  impossible: { edit: 'its approval has no place for changed arguments, so no edit is offered' },
  carriesReason: true,
  readsLists: true,
  remembersAway: true,
};

export const OPENAI_AGENTS_KEPT: Convention = {
  ...OPENAI_AGENTS,
  name: 'openai-agents-kept',
  title: 'OpenAI Agents 0.20.0, state kept',
  prepare: (stage) => prepareKept('openai-agents', PINS, stage),
  keepsIds: true,
};
