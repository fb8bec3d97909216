/** A conversation with the real Claude Code: two turns in two processes, with all that a transcript may hold. */
import path from 'node:path';
import { installSdk, SDK } from '../e2e-claude/install-sdk.ts';
import { type Script, startMessagesApi } from '../e2e-claude/messages-api.ts';
import { findTranscripts, makeHome, runProgram } from './run-program.ts';
import { shorten } from './shorten.ts';

const CHOOSE = 'Please choose a database.';
const WRITE = 'Write it down.';
const COUNT = 'Count the files.';
const ASK = 'holdpoint ask "Which database?" --option PostgreSQL --option SQLite';

const bash = (command: string, description: string) => ({
  name: 'Bash',
  input: { command, description },
});

const firstTurn: Script = ({ step }) =>
  [
    {
      thinking: 'The project is empty, so I look around first.',
      text: 'I look around.',
      tools: [bash('ls -a', 'List files'), bash('cat missing.txt', 'Read a file')],
    },
    {
      text: 'I need a decision.',
      tools: [bash(ASK, 'Ask which database to use')],
    },
    {
      text: 'I let a helper look.',
      tools: [
        {
          name: 'Agent',
          input: {
            description: 'Count files',
            prompt: COUNT,
            subagent_type: 'general-purpose',
            run_in_background: false,
          },
        },
      ],
    },
    { text: 'It will be **PostgreSQL**. 🐘' },
  ][step] ?? { text: 'Done.' };

const helper: Script = ({ step }) =>
  step === 0
    ? { text: 'I count.', tools: [bash('ls | wc -l', 'Count files')] }
    : { text: 'There are none.' };

const secondTurn: Script = ({ step }) =>
  step >= 5
    ? { text: 'It is written.' }
    : {
        text: 'I write it down.',
        tools: [bash('echo PostgreSQL > database.txt && cat database.txt', 'Write the decision')],
      };

export async function recordClaudeCode(folder: string): Promise<string> {
  const program = path.join(
    installSdk(),
    'node_modules',
    `${SDK}-${process.platform}-${process.arch}`,
    'claude',
  );
  const api = await startMessagesApi();
  // A conversation gets the first script whose mark is in it.
  api.play(WRITE, secondTurn);
  api.play(CHOOSE, firstTurn);
  api.play(COUNT, helper);
  const home = makeHome(folder);
  const env = {
    ...home.env,
    CLAUDE_CONFIG_DIR: path.join(home.home, '.claude'),
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: 'sk-scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const run = (...args: readonly string[]) =>
    runProgram(program, [...args, '--allowedTools', 'Bash,Agent'], { ...home, env });
  try {
    await run('-p', CHOOSE);
    await run('--continue', '-p', WRITE);
  } finally {
    api.stop();
  }
  const [transcript, ...more] = findTranscripts(path.join(home.home, '.claude', 'projects')).filter(
    ({ name }) => !name.includes('subagents') && !path.basename(name).startsWith('agent-'),
  );
  if (transcript === undefined || more.length > 0) {
    throw new Error(`Expected one transcript, found ${more.length + 1}`);
  }
  return shorten(transcript.text, ({ type }) => type === 'user' || type === 'assistant', folder);
}
