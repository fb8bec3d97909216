/** The commands that answer requests and read or fill sessions: their help, their options and their modules. */
import type { CliCommand } from '../cli-command.ts';

export const READING_COMMANDS: readonly CliCommand[] = [
  {
    name: 'answer',
    summary: 'answer an interaction, as a person',
    usage: 'REF [ANSWER…] | REF --decline [--reason TEXT]',
    about: `Answers what \`holdpoint pending\` lists. REF is SESSION/INTERACTION. An approval takes approve or
deny, or the number or id of one of its choices, and a reason; questions take one answer each, as a number, a label or any other text; a plan
takes edit, clean_edit, default, or adjust and feedback; a form takes NAME=VALUE or JSON.
Without an answer a terminal asks for it. Ends with 0 if this answer counts, else with 1.`,
    options: {
      decline: { type: 'boolean', help: 'do not answer: deny, or ask to adjust a plan' },
      reason: { type: 'string', help: 'why, for the agent' },
      input: { type: 'string', value: 'JSON', help: 'approve this changed input instead' },
      'for-session': { type: 'boolean', help: 'allow the tool for the rest of the session' },
      command: {
        type: 'string',
        value: 'WORDS',
        help: 'with --for-session: only commands that begin with these words',
      },
      'every-command': {
        type: 'boolean',
        help: 'with --for-session, for a shell: every command, without asking anyone',
      },
      stop: { type: 'boolean', help: 'with a denial: the turn of the agent ends, too' },
      session: { type: 'string', value: 'ID', help: 'if REF does not name it' },
    },
    shares: ['server'],
    examples: [
      'holdpoint answer deploys/call_1~1 approve',
      'holdpoint answer deploys/call_1~1 deny "Not on a Friday"',
      'holdpoint answer deploys/call_2~1 2 "in the evening"',
      'holdpoint answer deploys/call_3~1 version=1.2 count=3',
    ],
    run: async () => (await import('../commands/answer.ts')).answer,
  },
  {
    name: 'pending',
    summary: 'list what waits for a person',
    usage: '[--session ID]',
    about: 'Lists everything open in the workspace, the oldest deadline first, with what it asks.',
    options: {
      session: { type: 'string', value: 'ID', help: 'only of this session' },
      short: { type: 'boolean', help: 'one line for each' },
      limit: { type: 'string', value: 'N', help: 'at most so many; default: 100' },
    },
    shares: ['server'],
    examples: ['holdpoint pending', 'holdpoint pending --json | jq -r .interactionId'],
    run: async () => (await import('../commands/pending.ts')).pending,
  },
  {
    name: 'watch',
    summary: 'follow what opens and settles, or one session, live',
    usage: '[SESSION]',
    about: `Prints a line as something opens or settles; with a session, every event of it. Ctrl-C ends it.`,
    options: {
      after: { type: 'string', value: 'SEQ', help: 'begin after this event; default: now' },
    },
    shares: ['server'],
    examples: ['holdpoint watch', 'holdpoint watch deploys --after 0 --json'],
    run: async () => (await import('../commands/watch.ts')).watch,
  },
  {
    name: 'sessions',
    summary: 'list sessions, newest first',
    usage: '',
    about: 'Lists the sessions of the workspace, with the number of events and of open requests.',
    options: { limit: { type: 'string', value: 'N', help: 'at most so many; default: 20' } },
    shares: ['server'],
    examples: ['holdpoint sessions --limit 100'],
    run: async () => (await import('../commands/sessions.ts')).sessions,
  },
  {
    name: 'log',
    summary: 'print the events of a session',
    usage: 'SESSION',
    about: `Prints the log, one event on a line; with --json each event whole. With --attachment it saves a file that
a person attached instead: an asking command prints its id behind "attached:".`,
    options: {
      after: { type: 'string', value: 'SEQ', help: 'begin after this event' },
      limit: { type: 'string', value: 'N', help: 'at most so many' },
      attachment: { type: 'string', value: 'ID', help: 'save this attached file' },
      out: { type: 'string', value: 'FILE', help: 'where to; a file that is there stays as it is' },
    },
    shares: ['server'],
    examples: [
      'holdpoint log deploys',
      'holdpoint log deploys --json > deploys.jsonl',
      'holdpoint log deploys --attachment att_5c0d3f6a1b2c4d5e6f708192a3b4c5d6 --out screen.png',
    ],
    run: async () => (await import('../commands/log.ts')).log,
  },
  {
    name: 'import',
    summary: 'import a transcript of Claude Code or Codex',
    usage: '[FILE | ID]',
    about: `Imports a transcript as the history of its session. ID is that of the conversation, whose file is
searched in ~/.claude/projects and ~/.codex/sessions; in the shell of an agent its own is the
default. Again after the conversation went on: only what is new is sent.`,
    options: {
      provider: {
        type: 'string',
        value: 'NAME',
        help: 'claude-code or codex, if the file does not say it',
      },
      session: { type: 'string', value: 'ID', help: 'where to; default: the session that has it' },
      'cli-session': { type: 'string', value: 'PROVIDER:ID', help: 'the conversation' },
      title: { type: 'string', help: 'the title of a session that is created' },
    },
    shares: ['server'],
    examples: [
      'holdpoint import ~/.claude/projects/-home-ada-app/0f8d1c6a-7e0b-4a55.jsonl',
      'holdpoint import 0f8d1c6a-7e0b-4a55 --session deploys',
    ],
    run: async () => (await import('../commands/import.ts')).importFile,
  },
];
