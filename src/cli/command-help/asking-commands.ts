/** The commands that ask a person: their help, their options and their modules. */
import type { CliCommand } from '../cli-command.ts';

const ENDINGS = 'Ends with 0, 10 (denied), 11 (expired) or 12 (cancelled).';

export const ASKING_COMMANDS: readonly CliCommand[] = [
  {
    name: 'ask',
    summary: 'ask a person one to four questions, and print the answers',
    usage: 'QUESTION [--option LABEL]… [--question QUESTION [--option LABEL]…]…',
    about: `Asks a person and prints the answer: one line, or "header: answer" for each of several
questions. Without --option a person chooses Yes or No; an answer may always be typed.
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
    shares: ['audience', 'asking', 'server'],
    examples: [
      'holdpoint ask "Deploy to production now?"',
      'holdpoint ask "Which region?" --option eu --option us --header Region',
      'holdpoint ask "Region?" --option eu --option us --question "When?" --option now --option later',
      `echo '[{"question":"Which?","header":"Pick","options":[{"label":"a"},{"label":"b"}]}]' | holdpoint ask --from-json -`,
    ],
    run: async () => (await import('../commands/ask.ts')).ask,
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
    shares: ['deciding', 'audience', 'asking', 'server'],
    examples: [
      'holdpoint approve -- make deploy && make deploy',
      'holdpoint approve --approvals 2 --for group:ops --not-requester -- make release',
      `holdpoint approve --tool send_mail --input '{"to":"all"}' --allow-edit --json`,
    ],
    run: async () => (await import('../commands/approve.ts')).approve,
  },
  {
    name: 'plan',
    summary: 'ask a person to review a plan, from a file or stdin',
    usage: 'FILE | -',
    about: `Shows the plan and prints "approved: acceptEdits" or "approved: default" (with ", clear
context" if the work should start again with only the plan), or "denied:" and the feedback.
${ENDINGS}`,
    options: {},
    shares: ['deciding', 'audience', 'asking', 'server'],
    examples: ['holdpoint plan plan.md', 'make-plan | holdpoint plan - --timeout 2h'],
    run: async () => (await import('../commands/plan.ts')).plan,
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
    shares: ['audience', 'asking', 'server'],
    examples: ['holdpoint form release.schema.json --form-title Release --json'],
    run: async () => (await import('../commands/form.ts')).form,
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
    shares: ['deciding', 'audience', 'server'],
    examples: [
      'claude mcp add holdpoint -- holdpoint mcp',
      'codex mcp add holdpoint -- holdpoint mcp --session deploys',
    ],
    run: async () => (await import('../commands/mcp.ts')).mcp,
  },
];
