/**
 * The agents that a person can connect, each with what to paste: the one table of the screen that connects an agent. Tests run what
 * it says.
 *
 * The key stands in the first snippet alone. A program reads it from its environment, so it is in no file that is shared.
 *
 * The program is that of a clone, and the package is built there. Its name in a public registry belongs to whoever registers it, and
 * would run beside the key.
 */
import { t } from './language.ts';

interface SnippetValues {
  /** Of this server. */
  readonly url: string;
  /** Undefined if the person may make no key. */
  readonly key: string | undefined;
  /** An id that no session has: in a session of an earlier try the call may be decided, and nothing would be asked. */
  readonly session: string;
}

export interface Snippet {
  readonly label: string;
  readonly text: string;
}

export interface ConnectableAgent {
  readonly id: string;
  /** Also the name of its key. */
  readonly name: () => string;
  readonly about: () => string;
  readonly snippets: (values: SnippetValues) => readonly Snippet[];
}

/** Stands for the key until there is one. */
const KEY_PLACEHOLDER = 'KEY';

/** With what runs there, if it is known: one text to copy, and one to paste. */
const inTerminal = (
  { url, key = KEY_PLACEHOLDER }: SnippetValues,
  commands: readonly string[] = [],
  label = t('In the terminal of the agent'),
): Snippet => ({
  label,
  text: [`export HOLDPOINT_URL=${url} HOLDPOINT_TOKEN=${key}`, ...commands].join('\n'),
});

const inClone = (values: SnippetValues, command: string): Snippet =>
  inTerminal(
    values,
    [`npm run --silent holdpoint -- ${command}`],
    t('In a terminal, in a clone of Holdpoint'),
  );

const buildPackage = (): Snippet => ({
  label: t('In a clone of Holdpoint. It prints the line that installs the package'),
  text: 'npm run --silent build -- package',
});

const JSON_BODY = `-H "Authorization: Bearer $HOLDPOINT_TOKEN" -H 'Content-Type: application/json'`;

export const CONNECTABLE_AGENTS: readonly ConnectableAgent[] = [
  {
    id: 'claude-code',
    name: () => 'Claude Code',
    about: () => t('What it would ask in its terminal, it asks here.'),
    snippets: (values) => [inClone(values, 'connect claude-code')],
  },
  {
    id: 'codex',
    name: () => 'Codex',
    about: () => t('What it would ask in its terminal, it asks here.'),
    snippets: (values) => [inClone(values, 'connect codex')],
  },
  {
    id: 'mcp',
    name: () => t('MCP client'),
    about: () => t('Its model gets tools to ask you: ask_human and approve.'),
    snippets: ({ url, key = KEY_PLACEHOLDER }) => {
      const headers = { Authorization: `Bearer ${key}` };
      const holdpoint = { type: 'http', url: `${url}/mcp`, headers };
      const text = JSON.stringify({ mcpServers: { holdpoint } }, null, 2);
      return [{ label: t('.mcp.json, or the settings of the client'), text }];
    },
  },
  {
    id: 'agent-sdk',
    name: () => 'Claude Agent SDK',
    about: () => t('Every tool, question and plan of query() asks here.'),
    snippets: (values) => [
      inTerminal(values),
      buildPackage(),
      {
        label: t('In the folder of the agent'),
        text: 'npm install @anthropic-ai/claude-agent-sdk',
      },
      {
        label: 'agent.mjs',
        text: `import { query } from '@anthropic-ai/claude-agent-sdk';
import { connect } from 'holdpoint';
import { claude } from 'holdpoint/claude';

const options = { permissionMode: 'default', ...claude(connect()) };
const prompt = 'Create the file hello.txt';
for await (const message of query({ prompt, options })) console.log(message);`,
      },
    ],
  },
  {
    id: 'typescript',
    name: () => 'TypeScript',
    about: () => t('Your own program, in Node, a Worker or anything with fetch.'),
    snippets: (values) => [
      inTerminal(values),
      buildPackage(),
      {
        label: 'deploy.mjs',
        text: `import { connect } from 'holdpoint';

const holdpoint = connect({ session: '${values.session}' });
const call = { toolName: 'Bash', input: { command: 'make deploy' } };
const outcome = await holdpoint.approve(call, { toolCallId: 'deploy-1' });

if (outcome.outcome === 'approved') console.log('running', outcome.updatedInput);
else console.log(outcome.outcome, outcome.message);
await holdpoint.close();`,
      },
    ],
  },
  {
    id: 'command-line',
    name: () => t('Command line'),
    about: () => t('Anything that runs a shell: a script, a pipeline, an agent.'),
    snippets: (values) => [inClone(values, 'approve -- make deploy && make deploy')],
  },
  {
    id: 'curl',
    name: () => 'curl',
    about: () => t('Plain HTTP, from any language.'),
    snippets: (values) => [
      inTerminal(values, [
        `curl "$HOLDPOINT_URL/v1/sessions" ${JSON_BODY} -d '{"id":"${values.session}","title":"By hand"}'`,
        `curl "$HOLDPOINT_URL/v1/sessions/${values.session}/interactions" ${JSON_BODY} -H 'Prefer: wait=55' \\`,
        `  -d '{"kind":"approval","toolCallId":"call_1","toolName":"Bash","input":{"command":"make deploy"}}'`,
      ]),
    ],
  },
];
