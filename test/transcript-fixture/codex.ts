/** A conversation with the real Codex: two turns in two processes. */
import { writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { installProgram } from '../support/install-program.ts';
import { type Answer, startResponsesApi } from './responses-api.ts';
import { findTranscripts, makeHome, runProgram } from './run-program.ts';
import { shorten } from './shorten.ts';

const CODEX = '@openai/codex';
const CODEX_VERSION = '0.169.0';

/** By its path: Codex starts a login shell, and its profile sets PATH anew. */
const ASK = '../bin/holdpoint ask "Which database?" --option PostgreSQL --option SQLite';

let made = 0;
const says = (text: string) => ({
  type: 'message',
  role: 'assistant',
  id: `msg_${++made}`,
  content: [{ type: 'output_text', text }],
});
const thinks = (text: string) => ({
  type: 'reasoning',
  id: `rs_${++made}`,
  summary: [{ type: 'summary_text', text }],
  encrypted_content: null,
});
const runs = (cmd: string) => ({
  type: 'function_call',
  id: `fc_${++made}`,
  call_id: `call_${made}`,
  name: 'exec_command',
  arguments: JSON.stringify({ cmd }),
});

const ANSWERS: readonly Answer[] = [
  [
    thinks('**Looking around** The project is empty.'),
    says('I look around.'),
    runs('ls -a'),
    runs('cat missing.txt'),
  ],
  [says('I need a decision.'), runs(ASK)],
  [says('It will be **PostgreSQL**. 🐘')],
  [says('I write it down.'), runs('echo PostgreSQL > database.txt && cat database.txt')],
  [says('It is written.')],
];

export async function recordCodex(folder: string): Promise<string> {
  const program = path.join(
    installProgram('codex', CODEX, CODEX_VERSION),
    'node_modules/.bin/codex',
  );
  const api = await startResponsesApi(ANSWERS);
  const home = makeHome(folder);
  const config = path.join(home.home, '.codex');
  mkdirSync(config);
  writeFileSync(
    path.join(config, 'config.toml'),
    `model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${api.url}"
wire_api = "responses"
requires_openai_auth = false
`,
  );
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  const env = { ...home.env, CODEX_HOME: config };
  const run = (...args: readonly string[]) => runProgram(program, args, { ...home, env });
  try {
    await run('exec', ...flags, 'Please choose a database.');
    await run('exec', 'resume', '--last', ...flags, 'Write it down.');
  } finally {
    api.stop();
  }
  const [transcript, ...more] = findTranscripts(path.join(config, 'sessions'));
  if (transcript === undefined || more.length > 0) {
    throw new Error(`Expected one transcript, found ${more.length + 1}`);
  }
  return shorten(transcript.text, isConversation, folder);
}

/** The instructions are messages too, of the developer or around the words of the person. */
function isConversation({ type, payload }: Record<string, unknown>): boolean {
  const { role, type: kind } = payload as Record<string, unknown>;
  if (type === 'event_msg') return true;
  return type === 'response_item' && (kind !== 'message' || role === 'assistant');
}
