/**
 * Every command of `holdpoint`: its help, its options, and its module, which is loaded when it runs (CLI-1). The file is
 * long because every command has its help here.
 */
import type { CliCommand } from './cli-command.ts';

const ENDINGS = 'Ends with 0, 10 (denied), 11 (expired) or 12 (cancelled).';

export const COMMANDS: readonly CliCommand[] = [
  {
    name: 'ask',
    summary: 'ask a person one to four questions, and print the answers',
    usage: 'QUESTION [--option LABEL]… [--question QUESTION [--option LABEL]…]…',
    about: `Asks a person and prints the answer: one line, or "header: answer" for each of several
questions. Without --option a person chooses Yes or No; own words are always possible.
${ENDINGS}`,
    options: {
      question: { type: 'string', multiple: true, help: 'one more question' },
      option: {
        type: 'string',
        multiple: true,
        value: 'LABEL',
        help: 'a choice of the question before it; two to four',
      },
      about: { type: 'string', multiple: true, help: 'describes the option before it' },
      header: { type: 'string', multiple: true, help: 'a few words for it, up to 40 characters' },
      text: { type: 'boolean', multiple: true, help: 'it is answered in words, without options' },
      multi: { type: 'boolean', multiple: true, help: 'several choices are possible' },
      'from-json': {
        type: 'string',
        value: 'FILE',
        help: 'the questions as JSON; - is stdin',
      },
    },
    shares: ['asking', 'server'],
    examples: [
      'holdpoint ask "Deploy to production now?"',
      'holdpoint ask "Which region?" --option eu --option us --header Region',
      'holdpoint ask "Region?" --option eu --option us --question "When?" --option now --option later',
      `echo '[{"question":"Which?","header":"Pick","options":[{"label":"a"},{"label":"b"}]}]' | holdpoint ask --from-json -`,
    ],
    run: async () => (await import('./commands/ask.ts')).ask,
  },
  {
    name: 'approve',
    summary: 'ask whether a command or a tool may run',
    usage: '[--tool NAME --input JSON] | -- COMMAND [ARGUMENTS]',
    about: `Asks a person whether this may run, and runs nothing itself. Prints "approved"; after an edit
"approved with changes" and the input that may run, as JSON, on the next line. With --choices it
prints the id too: "approved: once".
${ENDINGS}`,
    options: {
      tool: { type: 'string', value: 'NAME', help: 'the tool; default: Bash' },
      input: { type: 'string', value: 'JSON', help: 'its input, a JSON object; - is stdin' },
      description: { type: 'string', help: 'what it does, for the person' },
      'allow-edit': { type: 'boolean', help: 'the person may change the input' },
      'offer-session': {
        type: 'boolean',
        help: 'the person may allow the tool for the rest of the session',
      },
      choices: {
        type: 'string',
        value: 'JSON',
        help: 'your own answers, a list of {"id", "label", "decision": "approve" or "deny"}',
      },
    },
    shares: ['deciding', 'asking', 'server'],
    examples: [
      'holdpoint approve -- make deploy && make deploy',
      'holdpoint approve --approvals 2 --not-requester -- make release',
      `holdpoint approve --tool send_mail --input '{"to":"all"}' --allow-edit --json`,
    ],
    run: async () => (await import('./commands/approve.ts')).approve,
  },
  {
    name: 'plan',
    summary: 'ask a person to review a plan, from a file or stdin',
    usage: 'FILE | -',
    about: `Shows the plan and prints "approved: acceptEdits" or "approved: default" (with ", clear
context" if the work should start again with only the plan), or "denied:" and the feedback.
${ENDINGS}`,
    options: {},
    shares: ['deciding', 'asking', 'server'],
    examples: ['holdpoint plan plan.md', 'make-plan | holdpoint plan - --timeout 2h'],
    run: async () => (await import('./commands/plan.ts')).plan,
  },
  {
    name: 'form',
    summary: 'ask a person to fill in a form',
    usage: 'SCHEMA.json | -',
    about: `Shows a form with the fields of a flat JSON Schema (as MCP elicitation has it), and prints
"name: value" for each field.
${ENDINGS}`,
    options: {
      'form-title': { type: 'string', help: 'the title of the form' },
      description: { type: 'string', help: 'what it is for' },
    },
    shares: ['asking', 'server'],
    examples: ['holdpoint form release.schema.json --form-title Release --json'],
    run: async () => (await import('./commands/form.ts')).form,
  },
  {
    name: 'mcp',
    summary: 'serve the tools to an MCP client, over stdin and stdout',
    usage: '[--session ID]',
    about: `Serves ask_human, approve and check_answer to the program that starts it, in the session of its
conversation, or in the one that is named. Ends when that program closes stdin.`,
    options: {
      session: { type: 'string', value: 'ID', help: 'where to ask; default: HOLDPOINT_SESSION' },
      'cli-session': { type: 'string', value: 'PROVIDER:ID', help: 'the conversation' },
      title: { type: 'string', help: 'the title of a session that is created' },
    },
    shares: ['server'],
    examples: [
      'claude mcp add holdpoint -- holdpoint mcp',
      'codex mcp add holdpoint -- holdpoint mcp --session deploys',
    ],
    run: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'answer',
    summary: 'answer an interaction, as a person',
    usage: 'REF [ANSWER…] | REF --decline [--reason TEXT]',
    about: `Answers what \`holdpoint pending\` lists. REF is SESSION/INTERACTION. An approval takes approve or
deny, or the number or id of one of its choices, and a reason; questions take one answer each, as a number, a label or own words; a plan
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
    run: async () => (await import('./commands/answer.ts')).answer,
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
    run: async () => (await import('./commands/pending.ts')).pending,
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
    run: async () => (await import('./commands/watch.ts')).watch,
  },
  {
    name: 'sessions',
    summary: 'list sessions, newest first',
    usage: '',
    about: 'Lists the sessions of the workspace, with the number of events and of open requests.',
    options: { limit: { type: 'string', value: 'N', help: 'at most so many; default: 20' } },
    shares: ['server'],
    examples: ['holdpoint sessions --limit 100'],
    run: async () => (await import('./commands/sessions.ts')).sessions,
  },
  {
    name: 'log',
    summary: 'print the events of a session',
    usage: 'SESSION',
    about: 'Prints the log, one event on a line; with --json each event whole.',
    options: {
      after: { type: 'string', value: 'SEQ', help: 'begin after this event' },
      limit: { type: 'string', value: 'N', help: 'at most so many' },
    },
    shares: ['server'],
    examples: ['holdpoint log deploys', 'holdpoint log deploys --json > deploys.jsonl'],
    run: async () => (await import('./commands/log.ts')).log,
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
    run: async () => (await import('./commands/import.ts')).importFile,
  },
  {
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
      'give-up-after': {
        type: 'string',
        value: 'SECONDS',
        help: 'how long the server may be unreachable before the question is open; default: 30',
      },
    },
    shares: ['server'],
    words: ['claude-code', 'codex'],
    examples: ['holdpoint hook claude-code --wait 3540 < hook.json'],
    run: async () => (await import('./commands/hook.ts')).hook,
  },
  {
    name: 'connect',
    summary: 'put the hooks into the settings of Claude Code or Codex',
    usage: 'claude-code | codex [--remove]',
    about: `Shows what changes in the settings file of the program, and asks before it writes. The program then
asks a person where it would have asked the terminal. The key is made or taken over, and kept in a
private file; the settings hold none. --remove gives back what was there before.`,
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
        help: 'also ask before every call of these tools, as Bash|Write',
      },
      yes: { type: 'boolean', short: 'y', help: 'do not ask; show the difference and write' },
    },
    shares: ['server'],
    words: ['claude-code', 'codex'],
    examples: [
      'holdpoint connect claude-code',
      'holdpoint connect codex --every Bash --yes',
      'holdpoint connect claude-code --remove',
    ],
    run: async () => (await import('./commands/connect.ts')).connectAgent,
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
    run: async () => (await import('./commands/keys.ts')).keys,
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
    run: async () => (await import('./commands/audit.ts')).audit,
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
    run: async () => (await import('./commands/link.ts')).link,
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
    run: async () => (await import('./commands/acp.ts')).acp,
  },
  {
    name: 'login',
    summary: 'store the credential of a person for this machine',
    usage: '[URL]',
    about: `Reads a link with #token=… or a token, typed or from stdin, exchanges it for a token of its own
and stores that in a file which only you may read. Keep it from the agents of this machine:
an agent that runs as you can read what you can read.`,
    options: {
      url: { type: 'string', value: 'URL', help: 'the server, for a token without a link' },
    },
    shares: [],
    examples: ['holdpoint login', 'npm run --silent link | holdpoint login'],
    run: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'remove it again',
    usage: '',
    about: 'Removes the login of this machine, and revokes its token if its scopes allow that.',
    options: {},
    shares: [],
    examples: ['holdpoint logout'],
    run: async () => (await import('./commands/logout.ts')).logout,
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
    run: async () => (await import('./commands/doctor.ts')).doctor,
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
    run: async () => (await import('./commands/completion.ts')).completion,
  },
];
