/** The AI SDK: `toolApproval` waits within the run, `answerApprovals` between two runs over kept messages. */
import type { Convention } from '../convention.ts';
import { prepareExample, prepareKept } from './node-programs.ts';

const PINS = { ai: '7.0.170', '@ai-sdk/openai': '3.0.141', zod: '4.6.7' };

export const AI_SDK: Convention = {
  name: 'ai-sdk',
  title: 'AI SDK 7.0.170',
  prepare: () => prepareExample('ai-sdk', PINS),
  runCall: (command) => ({ name: 'run', input: { command } }),
  questionCall: (questions) => ({ name: 'ask_human', input: { questions } }),
  impossible: { edit: 'its approval has no place for a changed input, so no edit is offered' },
  carriesReason: true,
  readsLists: true,
  remembersAway: true,
};

export const AI_SDK_KEPT: Convention = {
  ...AI_SDK,
  name: 'ai-sdk-kept',
  title: 'AI SDK 7.0.170, messages kept',
  prepare: (stage) => prepareKept('ai-sdk', PINS, stage),
  keepsIds: true,
};
