/** The command that the hooks of an agent run: its help, its options and its module. */
import type { CliCommand } from '../cli-command.ts';

export const HOOK_COMMAND: CliCommand = {
  name: 'hook',
  summary: 'ask a person for a hook of Claude Code or Codex',
  usage: '[claude-code | codex]',
  about: `A command hook: reads the JSON of a hook from stdin, asks, waits, and prints the output of the
hook. \`holdpoint connect\` puts it into the settings. What cannot be asked is denied, also if no
server answers. Ends with 0; with 2, which both programs take as a denial, if stdin is no hook.`,
  options: {
    wait: {
      type: 'string',
      value: 'SECONDS',
      help: 'the time for an answer, if the session has none; less than the timeout of the hook',
    },
    defer: {
      type: 'boolean',
      help: 'then end the run of Claude Code, which asks again when it is resumed; default: after 60 s',
    },
    call: {
      type: 'string',
      value: 'ID',
      help: 'where the hook names no call: the same id finds the same question again',
    },
    'give-up-after': {
      type: 'string',
      value: 'SECONDS',
      help: 'how long the server may be unreachable before the question is open; default: 15',
    },
  },
  shares: ['deciding', 'audience', 'server'],
  words: ['claude-code', 'codex'],
  examples: ['holdpoint hook claude-code --wait 3540 < hook.json'],
  run: async () => (await import('../commands/hook.ts')).hook,
};
