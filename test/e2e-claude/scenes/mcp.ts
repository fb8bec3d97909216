/**
 * Claude Code itself, connected to `/mcp`: `approve` is its permission prompt, and its model asks with `ask_human`.
 *
 * What a command did is counted outside of Claude Code: it appends a word to a file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../../src/protocol/types.ts';
import { claudeProgram, runProgram } from '../claude-program.ts';
import type { Script } from '../messages-api.ts';
import type { Stage } from '../stage.ts';
import { call, checks, done, keepLastRequest, type Scene } from './scene.ts';

const PERMISSIONS = ['--permission-prompt-tool', 'mcp__holdpoint__approve'];
const REASON = 'use the staging copy';

interface Run {
  readonly flags: readonly string[];
  readonly script: Script;
  readonly token?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Asks in the session with the name of the scene. */
function runClaude(stage: Stage, name: string, { flags, script, token, env: more }: Run) {
  const { env } = stage;
  const config = path.join(stage.folder, `${name}.json`);
  const holdpoint = {
    type: 'http',
    url: `${env['HOLDPOINT_URL']}/mcp`,
    headers: {
      Authorization: `Bearer ${token ?? env['HOLDPOINT_TOKEN']}`,
      'Holdpoint-Session': name,
    },
  };
  writeFileSync(config, JSON.stringify({ mcpServers: { holdpoint } }));
  const args = ['-p', stage.script(name, script), '--mcp-config', config, '--strict-mcp-config'];
  return runProgram(claudeProgram(), [...args, ...flags], stage, { ...env, ...more });
}

const effectsFile = (stage: Stage, name: string) => path.join(stage.folder, `${name}.effects`);
const append = (stage: Stage, name: string, word: string) =>
  `echo ${word} >> ${effectsFile(stage, name)}`;

function effects(stage: Stage, name: string): readonly string[] {
  const file = effectsFile(stage, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function checkEffects(stage: Stage, name: string, ...expected: readonly string[]): void {
  const found = effects(stage, name);
  checks(stage).check(
    expected.length === 0 ? 'nothing ran' : `exactly ${expected.join()} ran, once`,
    found.join() === expected.join(),
    found,
  );
}

/** The model runs one command, and reads its result. */
function oneCommand(stage: Stage, name: string) {
  const last = keepLastRequest();
  const script: Script = (conversation) => {
    last.keep(conversation);
    const command = append(stage, name, 'asked');
    return conversation.step === 0 ? call('Bash', { command }) : done();
  };
  return { script, last };
}

/** A person answers the one question about the command. */
function decidedScene(
  name: string,
  about: string,
  answer: (stage: Stage) => JsonObject,
  ran: readonly string[],
  told?: string,
): Scene {
  return {
    name,
    about,
    async play(stage) {
      const { script, last } = oneCommand(stage, name);
      const claude = runClaude(stage, name, { flags: PERMISSIONS, script });
      const asked = await stage.person.answerNext(name, answer(stage));
      const { code, output } = await claude;
      const { check } = checks(stage);
      check('Claude Code ends', code === 0, output);
      check(
        'the question has the id of the call',
        asked.toolCallId.startsWith('toolu_'),
        asked.toolCallId,
      );
      checkEffects(stage, name, ...ran);
      if (told === undefined) return;
      check(`the model reads "${told}"`, last.result?.text.includes(told) === true, last.result);
    },
  };
}

export const MCP_EDIT = decidedScene(
  'mcp-edit',
  '`approve` of /mcp is the permission prompt: the command runs as the person changed it',
  (stage) => ({
    decision: 'approve',
    updatedInput: { command: append(stage, 'mcp-edit', 'edited') },
  }),
  ['edited'],
);

export const MCP_DENY = decidedScene(
  'mcp-deny',
  '`approve` of /mcp denies: nothing runs, and the model receives the reason',
  () => ({ decision: 'deny', reason: REASON }),
  [],
  REASON,
);

export const MCP_QUESTION: Scene = {
  name: 'mcp-question',
  about: 'The model asks with `ask_human` of /mcp, and reads the answers',
  async play(stage) {
    const name = 'mcp-question';
    const last = keepLastRequest();
    const input = {
      questions: [
        { question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] },
        {
          question: 'Which features?',
          options: [{ label: 'Search' }, { label: 'Export, fast' }],
          multiple: true,
        },
      ],
    };
    const claude = runClaude(stage, name, {
      flags: ['--allowedTools', 'mcp__holdpoint__ask_human'],
      script(conversation) {
        last.keep(conversation);
        return conversation.step === 0 ? call('mcp__holdpoint__ask_human', input) : done();
      },
    });
    await stage.person.answerNext(name, { answers: { '0': 'SQLite', '1': ['Export, fast'] } });
    const { code, output } = await claude;
    const { check } = checks(stage);
    check('Claude Code ends', code === 0, output);
    const text = last.result?.text ?? '';
    check('the model reads the answers', /"SQLite".*\["Export, fast"\]/.test(text), last.result);
  },
};

/** Claude Code does not notice a connection that is reset within a call, and waits as long as this says. */
const TOOL_TIMEOUT_MS = 20_000;

export const MCP_KILLED: Scene = {
  name: 'mcp-killed',
  about: 'Holdpoint is killed while `approve` of /mcp waits: the call ends without an approval',
  async play(stage) {
    const name = 'mcp-killed';
    const { script, last } = oneCommand(stage, name);
    const env = { MCP_TOOL_TIMEOUT: String(TOOL_TIMEOUT_MS) };
    const claude = runClaude(stage, name, { flags: PERMISSIONS, script, env });
    await stage.person.asked(name);
    await stage.restart(async () => undefined);
    const { code, output } = await claude;
    checks(stage).check('Claude Code ends', code === 0, output);
    stage.transcript.line('model', `is told: ${last.result?.text}`);
    checkEffects(stage, name);
  },
};

export const MCP_AWAY: Scene = {
  name: 'mcp-away',
  about: 'Holdpoint is away: without its permission prompt Claude Code runs nothing',
  async play(stage) {
    const name = 'mcp-away';
    const { script, last } = oneCommand(stage, name);
    await stage.restart(async () => {
      await runClaude(stage, name, { flags: PERMISSIONS, script });
    });
    stage.transcript.line('model', `is told: ${last.result?.text}`);
    checkEffects(stage, name);
  },
};

export const MCP_CREDENTIAL: Scene = {
  name: 'mcp-credential',
  about: 'A wrong credential at /mcp: nobody is asked, and nothing runs',
  async play(stage) {
    const name = 'mcp-credential';
    const { script } = oneCommand(stage, name);
    await runClaude(stage, name, { flags: PERMISSIONS, script, token: 'hp_wrong.credential' });
    checkEffects(stage, name);
    const session = await stage.person.transport.snapshot(name).then(
      ({ open }) => `exists with ${open.length} open`,
      () => 'none',
    );
    checks(stage).check('nobody was asked', session === 'none', session);
  },
};
