/** The commands that connect programs and people, and administer the workspace: their help, their options and their modules. */
import type { CliCommand } from '../cli-command.ts';
import { HOOK_COMMAND } from './hook-command.ts';

export const SETUP_COMMANDS: readonly CliCommand[] = [
  HOOK_COMMAND,
  {
    name: 'connect',
    summary: 'put the hooks into the settings of Claude Code or Codex',
    usage: 'claude-code | codex [--remove]',
    about: `Shows what changes in the settings file of the program, and asks before it writes. The program then
asks a person where it would have asked the terminal; the terminal asks too, and the first answer
counts. Ends with 1 if nothing would be asked. The key is made or taken over, and kept in a private
file; the settings hold none. --remove gives back what was there before.`,
    options: {
      remove: { type: 'boolean', help: 'take the hooks out again' },
      user: { type: 'boolean', help: 'in the home folder, for every project; the default' },
      project: {
        type: 'boolean',
        help: 'in this folder, for everyone who works in it; holdpoint must be on their PATH',
      },
      every: {
        type: 'string',
        value: 'TOOLS',
        help: 'also ask before every call of these tools, as Bash|Write, in any mode',
      },
      manual: {
        type: 'boolean',
        help: 'start Claude Code in the mode that asks; the default where no settings name a mode',
      },
      yes: { type: 'boolean', short: 'y', help: 'do not ask; show the difference and write' },
    },
    shares: ['deciding', 'audience', 'server'],
    words: ['claude-code', 'codex'],
    examples: [
      'holdpoint connect claude-code',
      'holdpoint connect codex --every Bash --yes',
      'holdpoint connect claude-code --remove',
    ],
    run: async () => (await import('../commands/connect.ts')).connectAgent,
  },
  {
    name: 'keys',
    summary: 'list, make and revoke keys, as an administrator',
    usage: '[create NAME [--scope SCOPE]… | revoke ID]',
    about: `Lists the keys of the workspace. \`create\` prints the secret, once. The credential needs the
scope admin, which no login has: set HOLDPOINT_TOKEN.`,
    options: {
      scope: {
        type: 'string',
        multiple: true,
        help: 'agent, read, answer, send or admin; default: agent',
      },
    },
    shares: ['server'],
    words: ['create', 'revoke'],
    examples: [
      'holdpoint keys',
      'holdpoint keys create build-agent',
      'holdpoint keys revoke key_1',
    ],
    run: async () => (await import('../commands/keys.ts')).keys,
  },
  {
    name: 'rules',
    summary: 'list, make, try and revoke rules, as an administrator',
    usage: '[allow|ask|deny TOOL [--command WORDS | --path GLOB | --host HOST] | revoke ID]',
    about: `Lists the rules of the workspace and of its sessions. \`allow\`, \`ask\` and \`deny\` make one for calls
of TOOL; the strictest rule that fits a call counts. With --try nothing is made: it prints which of
the last 500 requests would have changed. The credential needs the scope admin, which no login has:
set HOLDPOINT_TOKEN.`,
    options: {
      command: { type: 'string', value: 'WORDS', help: 'the first words: "npm test"' },
      path: { type: 'string', value: 'GLOB', help: 'the path of a file: "src/**"' },
      host: { type: 'string', value: 'HOST', help: 'a host: "*.example.org"' },
      input: { type: 'string', value: 'JSON', help: 'exactly this input, a JSON object' },
      'every-command': { type: 'boolean', help: 'for a shell: every command' },
      ttl: { type: 'string', value: 'TIME', help: 'how long it counts: 8h; default: for good' },
      reason: { type: 'string', help: 'why, for whoever finds it' },
      try: { type: 'boolean', help: 'only show what it would have changed' },
    },
    shares: ['server'],
    words: ['allow', 'ask', 'deny', 'revoke'],
    examples: [
      'holdpoint rules allow Bash --command "npm test" --ttl 8h --reason "release day"',
      'holdpoint rules deny Bash --command "git push" --try',
      'holdpoint rules revoke rule_1',
    ],
    run: async () => (await import('../commands/rules.ts')).rules,
  },
  {
    name: 'audit',
    summary: 'search, export and verify the audit list, as an administrator',
    usage: '[export | verify FILE|-|server]',
    about: `Lists who decided and changed what, newest first. \`export\` prints all of it as JSON lines or
CSV. \`verify\` checks the chain of such JSON lines, or of the server's list, and names the first
broken link; with --head also that the list has not lost its end. Ends with 1 if the chain is broken.
The credential needs the scope admin, which no login has: set HOLDPOINT_TOKEN.`,
    options: {
      who: { type: 'string', value: 'NAME', help: 'what this person or program did' },
      what: { type: 'string', help: 'interaction, gate, session, settings, key, token, …' },
      session: { type: 'string', value: 'ID', help: 'of this session' },
      outcome: { type: 'string', help: 'approved, denied, answered, cancelled, expired, …' },
      text: { type: 'string', help: 'in any field: a tool, a reason, an id' },
      from: { type: 'string', value: 'TIME', help: 'at this time or later: 2026-11-19' },
      to: { type: 'string', value: 'TIME', help: 'before this time' },
      limit: { type: 'string', value: 'COUNT', help: 'how many entries; default: 50' },
      format: { type: 'string', help: 'of the export: jsonl or csv; default: jsonl' },
      head: { type: 'string', value: 'NUMBER:HASH', help: 'a head that was kept, for verify' },
      workspace: { type: 'string', value: 'NAME', help: 'whose list a file must be, for verify' },
    },
    shares: ['server'],
    words: ['export', 'verify'],
    examples: [
      'holdpoint audit --who ada --outcome approved --from 2026-11-01',
      'holdpoint audit export --format csv > audit.csv',
      'holdpoint audit export > audit.jsonl && holdpoint audit verify audit.jsonl',
    ],
    run: async () => (await import('../commands/audit.ts')).audit,
  },
  {
    name: 'link',
    summary: 'print a link that opens the chat, the inbox or a session',
    usage: '[chat | inbox | SESSION]',
    about: 'Prints an address that signs in the person of the login. Who has it may answer.',
    options: {
      ttl: { type: 'string', value: 'TIME', help: 'how long it is good; default: 1d' },
      scope: { type: 'string', multiple: true, help: 'read, answer, send; default: all three' },
      name: { type: 'string', help: 'for another person; needs a key' },
      only: { type: 'boolean', help: 'good for this session alone' },
    },
    shares: ['server'],
    words: ['chat', 'inbox'],
    examples: ['holdpoint link', 'holdpoint link deploys --only --scope read --ttl 1h'],
    run: async () => (await import('../commands/link.ts')).link,
  },
  {
    name: 'acp',
    summary: 'start an ACP agent whose questions people answer here',
    usage: '-- AGENT [ARGUMENTS]',
    about: `Stands between an editor and its agent: permission requests and forms of the agent go to
Holdpoint and never reach the editor; everything else passes unchanged. Configure it in the editor
in place of the agent. Ends with the code of the agent.`,
    options: {
      session: {
        type: 'string',
        value: 'ID',
        help: 'where to ask; default: HOLDPOINT_SESSION, else a new one',
      },
      title: { type: 'string', value: 'TEXT', help: 'the title of a session that is created' },
    },
    shares: ['server'],
    examples: ['holdpoint acp -- claude-agent-acp', 'holdpoint acp --session work -- gemini --acp'],
    run: async () => (await import('../commands/acp.ts')).acp,
  },
  {
    name: 'login',
    summary: 'store a person’s credential on this machine; logout removes it',
    usage: '[URL]',
    about: `Reads a link with #token=… or a token, typed or from stdin, exchanges it for a token of its own
and stores that in a file which only you may read. Keep it from the agents of this machine:
an agent that runs as you can read what you can read.`,
    options: {
      url: { type: 'string', value: 'URL', help: 'the server, for a token without a link' },
    },
    shares: [],
    examples: ['holdpoint login', 'npm run --silent link | holdpoint login'],
    run: async () => (await import('../commands/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'remove the credential of this machine',
    isNamedElsewhere: true,
    usage: '',
    about: 'Removes the login of this machine, and revokes its token if its scopes allow that.',
    options: {},
    shares: [],
    examples: ['holdpoint logout'],
    run: async () => (await import('../commands/logout.ts')).logout,
  },
  {
    name: 'doctor',
    summary: 'check server, credentials and session, and say what to do',
    usage: '',
    about: `Says which server, credentials and session the commands would use here, and tries them. For
asking that is --token, HOLDPOINT_TOKEN, the key of \`holdpoint connect\`, or on this machine the key in
.holdpoint/agent-token. Ends with 0, with 1 if a check fails, or with 3 if no server answers.`,
    options: {
      'cli-session': { type: 'string', value: 'PROVIDER:ID', help: 'the conversation' },
      ask: { type: 'boolean', help: 'open a real question, and take it back' },
      answer: { type: 'boolean', help: 'open a real question, and wait for its answer' },
    },
    shares: ['server'],
    examples: ['holdpoint doctor', 'holdpoint doctor --answer'],
    run: async () => (await import('../commands/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    usage: 'bash | zsh | fish',
    about: 'Prints a script that completes commands and options.',
    options: {},
    shares: [],
    words: ['bash', 'zsh', 'fish'],
    examples: [
      'eval "$(holdpoint completion bash)"',
      'holdpoint completion fish > ~/.config/fish/completions/holdpoint.fish',
    ],
    run: async () => (await import('../commands/completion.ts')).completion,
  },
];
