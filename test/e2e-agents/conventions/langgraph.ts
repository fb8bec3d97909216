/**
 * LangGraph: interrupts of `humanInTheLoopMiddleware`, and a tool that interrupts with questions; in memory, or over kept
 * checkpoints.
 */
import type { Convention } from '../convention.ts';
import { prepareExample, prepareKept } from './node-programs.ts';

const PINS = {
  '@langchain/langgraph': '1.4.18',
  '@langchain/core': '1.2.13',
  '@langchain/protocol': '0.0.19',
  '@langchain/langgraph-sdk': '1.12.9',
  '@langchain/langgraph-checkpoint': '1.1.5',
  '@langchain/openai': '1.5.13',
  langchain: '1.5.14',
  zod: '4.6.7',
};

export const LANGGRAPH: Convention = {
  name: 'langgraph',
  title: 'LangGraph 1.4.18',
  prepare: () => prepareExample('langgraph', PINS),
  runCall: (command) => ({ name: 'run', input: { command } }),
  questionCall: (questions) => ({ name: 'ask_human', input: { questions } }),
  impossible: {},
  carriesReason: true,
  readsLists: true,
  remembersAway: true,
};

export const LANGGRAPH_KEPT: Convention = {
  ...LANGGRAPH,
  name: 'langgraph-kept',
  title: 'LangGraph 1.4.18, checkpoints kept',
  prepare: (stage) => prepareKept('langgraph', PINS, stage),
  keepsIds: true,
};
