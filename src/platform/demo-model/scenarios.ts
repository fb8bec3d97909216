/** The scenarios of the demo model, chosen by a word of the person's message; without such a word, the reply lists them. */
import type { JsonObject } from '../../protocol/json.ts';
import {
  type ModelMessage,
  type ToolResultContent,
  toolResultsIn,
  toolUsesIn,
} from '../../agent/message.ts';

const QUESTIONS = [
  {
    header: 'Database',
    question: 'Which database should the sketch use?',
    options: [
      { label: 'SQLite', description: 'One file, nothing to run beside it.' },
      { label: 'PostgreSQL', description: 'A server, for many writers at once.' },
    ],
    multiSelect: false,
  },
  {
    header: 'Checks',
    question: 'Which checks should run before a release?',
    options: [
      { label: 'Tests', description: 'Everything that can be tried without a network.' },
      { label: 'Types', description: 'The whole tree, tests included.' },
      { label: 'Format', description: 'Nobody argues about it again.' },
    ],
    multiSelect: true,
  },
];

/** Two questions in one call; the second takes several answers. */
const questionScenario: Scenario = {
  word: 'questions',
  about: 'I ask you two questions; one takes several answers.',
  play(input) {
    const [result] = lastResults(input);
    if (result === undefined) {
      return {
        text: 'Before I begin I have two questions. For the second one you can choose several answers.',
        calls: [{ name: 'AskUserQuestion', input: { questions: QUESTIONS } }],
      };
    }
    if (result.isError) {
      return {
        text: `You did not answer: ${quoteResult(result)}. A real model would now choose for itself, or ask differently.`,
      };
    }
    return {
      text: `Thank you. This is what I was told: ${quoteResult(result)}. A real model would go to work with it.`,
    };
  },
};

const HELLO = '# Hello\n\nThis file was written by the demo model.\n';

/** One file is written after a person has approved it. */
const writeScenario: Scenario = {
  word: 'write',
  about: 'I write a file, and you approve it or not.',
  play(input) {
    const [result] = lastResults(input);
    if (result === undefined) {
      return {
        text: 'I would like to write a short file. Have a look at it and decide.',
        calls: [{ name: 'Write', input: { path: 'hello.md', content: HELLO } }],
      };
    }
    return result.isError
      ? { text: `The file was not written: ${quoteResult(result)}. I leave it at that.` }
      : {
          text: `Done. The tool reported: ${quoteResult(result)}. Write “parallel” to see it read.`,
        };
  },
};

/** A file with an obvious mistake, which the person can correct in the approval. */
const editScenario: Scenario = {
  word: 'edit',
  about: 'I write a file with a mistake in it. Change the input before you approve.',
  play(input) {
    const [result] = lastResults(input);
    if (result === undefined) {
      const content = 'Dear all,\n\nwe meet on Thurzday at 9.\n';
      return {
        text: 'Here is an invitation. There is a mistake in it: edit the text before you approve it.',
        calls: [{ name: 'Write', input: { path: 'invitation.txt', content } }],
      };
    }
    return result.isError
      ? { text: `The invitation was not written: ${quoteResult(result)}.` }
      : {
          text: `The tool reported: ${quoteResult(result)}. What ran is what you approved, not what I had proposed.`,
        };
  },
};

const CARELESS_COMMAND = 'rm -rf ./releases';

/** A command where there is a tool for commands, and otherwise a script with the same command. */
function carelessCall({ tools }: TurnInput): ScriptedCall {
  if (tools.includes('Bash')) return { name: 'Bash', input: { command: CARELESS_COMMAND } };
  return {
    name: 'Write',
    input: { path: 'clean-up.sh', content: `#!/bin/sh\n${CARELESS_COMMAND}\n` },
  };
}

/** A careless request: the model continues from the reason of the denial. */
const denyScenario: Scenario = {
  word: 'deny',
  about: 'I ask for something careless. Deny it and give a reason.',
  play(input) {
    const [result] = lastResults(input);
    if (result === undefined) {
      return {
        text: 'To make room I would remove all releases at once. Deny this, and say why.',
        calls: [carelessCall(input)],
      };
    }
    if (!result.isError) {
      return {
        text: `You allowed it, and it ran: ${quoteResult(result)}. Good that this is a demo.`,
      };
    }
    return {
      text: `Understood: ${quoteResult(result)}. I go on without it and would list the oldest releases first, so that you can choose.`,
    };
  },
};

const PLAN_TITLE = '# Demo: move the notes';
/** Outside plan mode every plan is denied automatically; the scenario must end all the same. */
const MAX_PLAN_VERSIONS = 4;
/** The tool result of a plan that no person decided. */
const NOT_REVIEWED = /^Plan review (cancelled|timed out)/;

function proposePlan(version: number, feedback: readonly string[]): ScriptedReply {
  const steps = [
    'List the notes and count them.',
    'Write each one to its new folder.',
    'Compare the counts.',
    ...feedback.map((wish) => `As you asked: ${wish}`),
  ];
  const plan = [PLAN_TITLE, '', ...steps.map((step, index) => `${index + 1}. ${step}`), ''].join(
    '\n',
  );
  const text =
    version === 1
      ? 'Here is my plan. Adjust it once with some feedback, and approve it then.'
      : `Here is version ${version} with your feedback in it.`;
  return { text, calls: [{ name: 'ExitPlanMode', input: { plan } }] };
}

function wishOf({ content }: TurnResult): string {
  return content.trim().replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** An approval that clears the context starts a new turn whose message is the plan; its title identifies the plan. */
const isPlan = (text: string) => text.includes(PLAN_TITLE);

/** A plan review: adjusted with each piece of feedback, then approved. */
const planScenario: Scenario = {
  word: 'plan',
  about: 'I show you a plan. Adjust it, then approve it.',
  play(input) {
    const [result] = lastResults(input);
    const versions = input.results.length;
    if (isPlan(input.text))
      return { text: 'The plan is approved, and it is all I remember. I would begin with step 1.' };
    if (result === undefined) return proposePlan(1, []);
    if (!result.isError)
      return { text: `The plan is approved: ${quoteResult(result)}. I would begin with step 1.` };
    if (NOT_REVIEWED.test(result.content) || versions >= MAX_PLAN_VERSIONS)
      return { text: `I leave the plan as it is: ${quoteResult(result)}.` };
    return proposePlan(
      versions + 1,
      input.results.flatMap(([denied]) => (denied === undefined ? [] : [wishOf(denied)])),
    );
  },
};

function describeResult({ toolName, ...result }: TurnResult): string {
  const how = result.isError ? 'failed' : 'is done';
  return `${toolName} ${how}: ${quoteResult({ toolName, ...result })}.`;
}

/** Two calls in one answer: each runs as soon as it is allowed, and the agent continues when both have ended. */
const parallelScenario: Scenario = {
  word: 'parallel',
  about: 'I use two files at the same time, and ask for both. Decide in any order.',
  play(input) {
    const results = lastResults(input);
    if (results.length === 0) {
      // A file that is not there would end what a newcomer tries in red.
      const first: ScriptedCall = input.written.includes('hello.md')
        ? { name: 'Read', input: { path: 'hello.md' } }
        : { name: 'Write', input: { path: 'hello.md', content: HELLO } };
      return {
        text: 'I use two files at once. Each call waits for you, unless you have allowed it for this session.',
        calls: [
          first,
          {
            name: 'Write',
            input: { path: 'copy.md', content: 'A copy, made by the demo model.\n' },
          },
        ],
      };
    }
    return { text: `Both came back together. ${results.map(describeResult).join(' ')}` };
  },
};

const MISSING_PATH = 'notes/not-there.md';

/** A call fails while the approval of another call is open. */
const failScenario: Scenario = {
  word: 'fail',
  about: 'A tool fails while an approval is open.',
  play(input) {
    const results = lastResults(input);
    if (results.length === 0) {
      return {
        text: 'I read and change a file that is not there. Let me read it: that fails, while the change still asks you.',
        calls: [
          { name: 'Read', input: { path: MISSING_PATH } },
          { name: 'Edit', input: { path: MISSING_PATH, oldText: 'draft', newText: 'final' } },
        ],
      };
    }
    const failed = results.filter(({ isError }) => isError);
    if (failed.length === 0) return { text: 'Nothing failed: somebody has put that file there.' };
    const reasons = failed.map((result) => `${result.toolName}: ${quoteResult(result)}`).join('; ');
    return {
      text: `I was told about it and can go on. ${reasons}. I would create the file first.`,
    };
  },
};

const PARAGRAPHS = [
  'This is a long answer. It comes in small pieces, as the answers of a model do, and you can stop it whenever you like.',
  'While it comes, nothing of it is stored. Each piece is a preview that goes to everyone who looks at this session. Close the page and open it again: you see the rest, and what came before.',
  'If the server is killed now, the answer is asked for again and the preview is replaced. If you stop it, what you have read so far is stored, and marked as stopped.',
  'Waiting costs nothing. While a question is open there is no process, no timer and no connection; there is one row, and one alarm for its deadline.',
  'A person may answer from anywhere: here, from a terminal, from a link in a message. The first answer counts, and the others are told that they came too late, and who was first.',
  'What runs is what was approved. If you change the input of a tool before you approve it, the changed input runs, and the log holds both.',
  'That is the end of the long answer. Everything is in the log now, as one text, in its place.',
];

/** Seven seconds in all: a person reads what it says, finds the button and presses it before the end. */
const LONG_SLOWNESS = 4;

/** A long answer, to watch it arrive, and to interrupt it. */
const longScenario: Scenario = {
  word: 'long',
  about: 'I give a long answer, piece by piece. Interrupt it if you like.',
  play: () => ({ text: PARAGRAPHS.join('\n\n'), slowness: LONG_SLOWNESS }),
};

export const SCENARIOS: readonly Scenario[] = [
  questionScenario,
  writeScenario,
  editScenario,
  denyScenario,
  planScenario,
  parallelScenario,
  failScenario,
  longScenario,
];

const DEMO_INTRODUCTION =
  'This is demo mode: a scripted agent, no model connected, so that you can try everything without a key. Write one of these words:';

function listScenarios(): ScriptedReply {
  const list = SCENARIOS.map(({ word, about }) => `- **${word}**: ${about}`).join('\n');
  return { text: `${DEMO_INTRODUCTION}\n\n${list}` };
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

function findScenario(text: string): Scenario | undefined {
  // The steps of a plan hold the words of other scenarios.
  if (isPlan(text)) return planScenario;
  const words = wordsIn(text);
  // The first word of the message decides, not the first scenario of the list.
  return words
    .map((word) => SCENARIOS.find((scenario) => scenario.word === word))
    .find((scenario) => scenario);
}

export function play(input: TurnInput): ScriptedReply {
  return findScenario(input.text)?.play(input) ?? listScenarios();
}

interface TurnResult {
  readonly toolName: string;
  readonly content: string;
  readonly isError: boolean;
}

/** The current turn, from the person's last message on. */
interface TurnInput {
  readonly text: string;
  /** For each answer of this turn, the results of its calls in order. */
  readonly results: readonly (readonly TurnResult[])[];
  /** The tools that may be called. */
  readonly tools: readonly string[];
  /** The files that were written in this conversation. */
  readonly written: readonly unknown[];
}

interface ScriptedCall {
  readonly name: string;
  readonly input: JsonObject;
}

export interface ScriptedReply {
  readonly text: string;
  readonly calls?: readonly ScriptedCall[];
  /** The factor by which the reply arrives slower than others. */
  readonly slowness?: number;
}

interface Scenario {
  /** The word that starts the scenario; also shown in the list of scenarios. */
  readonly word: string;
  readonly about: string;
  play(input: TurnInput): ScriptedReply;
}

/** The results of the calls in the last answer of this turn. */
function lastResults({ results }: TurnInput): readonly TurnResult[] {
  return results.at(-1) ?? [];
}

/** A result as a quotation within a sentence. */
function quoteResult({ content }: TurnResult): string {
  const line = content.trim().replaceAll(/\s+/g, ' ');
  if (line === '') return 'nothing at all';
  return `“${line.length <= 300 ? line : `${line.slice(0, 300)}…`}”`;
}

/** Reads the input of a scenario from a conversation. */
export function readTurn(messages: readonly ModelMessage[], tools: readonly string[]): TurnInput {
  const start = messages.findLastIndex((message) => lastText(message) !== undefined);
  const turn = messages.slice(start + 1);
  const results = turn.flatMap((message, index) =>
    message.role === 'assistant' ? [resultsOf(message, turn[index + 1])] : [],
  );
  return { text: lastText(messages[start]) ?? '', results, tools, written: writtenIn(messages) };
}

function writtenIn(messages: readonly ModelMessage[]): readonly unknown[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant') return [];
    const done = toolResultsIn(messages[index + 1]).filter(({ isError }) => !isError);
    return toolUsesIn(message)
      .filter(({ id, name }) => name === 'Write' && done.some(({ toolUseId }) => toolUseId === id))
      .map(({ input }) => input['path']);
  });
}

export function lastText(message: ModelMessage | undefined): string | undefined {
  if (message?.role !== 'user') return undefined;
  return message.content.findLast((block) => block.type === 'text')?.text;
}

function resultsOf(answer: ModelMessage, next: ModelMessage | undefined): readonly TurnResult[] {
  const results = new Map<string, ToolResultContent>(
    toolResultsIn(next).map((result) => [result.toolUseId, result]),
  );
  return toolUsesIn(answer).flatMap(({ id, name: toolName }) => {
    const result = results.get(id);
    return result === undefined
      ? []
      : [{ toolName, content: result.content, isError: result.isError }];
  });
}
