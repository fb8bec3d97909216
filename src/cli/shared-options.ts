/** The options of a command: its own, and those that several commands share. */
import type { CliCommand, OptionSpec, SharedGroup } from './cli-command.ts';

type Options = Readonly<Record<string, OptionSpec>>;

const COMMON_OPTIONS: Options = {
  json: { type: 'boolean', help: 'print JSON: the result on stdout, failures on stderr' },
  help: { type: 'boolean', short: 'h', help: 'print this help' },
};

const OPTION_GROUPS: Readonly<Record<SharedGroup, Options>> = {
  server: {
    url: { type: 'string', value: 'URL', help: 'the server; default: HOLDPOINT_URL' },
    token: {
      type: 'string',
      value: 'TOKEN',
      help: 'the credential; better in HOLDPOINT_TOKEN, which no list of processes shows',
    },
  },
  deciding: {
    approvals: {
      type: 'string',
      value: 'N',
      help: 'how many people must approve; one denial ends it',
    },
    'not-requester': {
      type: 'boolean',
      help: 'whoever asks may not decide, not even an administrator',
    },
  },
  audience: {
    for: {
      type: 'string',
      value: 'NAMES',
      help: 'who is asked, with commas; group:ops for a group; default: everyone',
    },
  },
  asking: {
    session: {
      type: 'string',
      value: 'ID',
      help: 'where to ask; default: HOLDPOINT_SESSION, else that of the conversation in whose shell this runs, else a new one',
    },
    'cli-session': {
      type: 'string',
      value: 'PROVIDER:ID',
      help: 'the conversation, if the environment does not say it',
    },
    'tool-call-id': {
      type: 'string',
      value: 'ID',
      help: 'the same id finds the same question again; default: that of Codex, if it sets one',
    },
    title: { type: 'string', value: 'TEXT', help: 'the title of a session that is created' },
    timeout: {
      type: 'string',
      value: 'TIME',
      help: 'expire after 90s, 10m, 2h, 1d, or none; default: as the session says',
    },
    interaction: {
      type: 'string',
      value: 'REF',
      help: 'wait for this interaction again instead of asking',
    },
    detach: { type: 'boolean', help: 'print the reference and do not wait' },
    'give-up-after': {
      type: 'string',
      value: 'SECONDS',
      help: 'how long the server may be unreachable before the question is open; default: 15',
    },
  },
};

export function allOptionsOf({ options, shares }: Pick<CliCommand, 'options' | 'shares'>): Options {
  return Object.assign(
    {},
    options,
    ...shares.map((group) => OPTION_GROUPS[group]),
    COMMON_OPTIONS,
  ) as Options;
}
