/**
 * Claude Code itself, which asks by its hooks `PermissionRequest` and `Elicitation`: over HTTP, and with the command
 * `holdpoint hook`. `npm run e2e:agents` plays `PreToolUse`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { claudeProgram, runProgram } from '../claude-program.ts';
import type { Script } from '../messages-api.ts';
import type { Stage } from '../stage.ts';
import { call, checks, done, keepLastRequest, type Scene } from './scene.ts';

const SERVER = path.join(import.meta.dirname, '../elicitation-server.js');
const CLI = path.join(ROOT, 'src/cli/main.ts');
const REASON = 'use the staging copy';
const WAYS = ['http', 'command'] as const;
type Way = (typeof WAYS)[number];

function hookOf(stage: Stage, way: Way): object {
  const { env } = stage;
  if (way === 'command') {
    const command = `'${process.execPath}' --disable-warning=ExperimentalWarning '${CLI}' hook claude-code`;
    return { type: 'command', command, timeout: 3600 };
  }
  return {
    type: 'http',
    url: `${env['HOLDPOINT_URL']}/v1/hooks/claude-code?wait=60`,
    timeout: 3600,
    onFailure: 'block',
    headers: { Authorization: 'Bearer $HOLDPOINT_TOKEN' },
    allowedEnvVars: ['HOLDPOINT_TOKEN'],
  };
}

/** A run of its own, whose session follows from the conversation. */
function runClaude(stage: Stage, name: string, way: Way, script: Script, flags: readonly string[]) {
  const id = crypto.randomUUID();
  const entry = [{ matcher: '*', hooks: [hookOf(stage, way)] }];
  // Only the server knows what was edited.
  const after = way === 'http' ? { PostToolUse: entry } : {};
  const settings = path.join(stage.folder, `${name}.settings.json`);
  writeFileSync(
    settings,
    JSON.stringify({ hooks: { PermissionRequest: entry, Elicitation: entry, ...after } }),
  );
  const servers = path.join(stage.folder, `${name}.servers.json`);
  const deploys = { command: process.execPath, args: [SERVER] };
  writeFileSync(servers, JSON.stringify({ mcpServers: { deploys } }));
  const prompt = stage.script(name, script);
  const args = ['-p', prompt, '--session-id', id, '--settings', settings];
  const own = ['--mcp-config', servers, '--strict-mcp-config'];
  const ended = runProgram(claudeProgram(), [...args, ...own, ...flags], stage, stage.env);
  return { ended, session: `claude-code:${id}` };
}

function effects(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

async function playPermission(stage: Stage, way: Way): Promise<void> {
  const { check } = checks(stage);
  for (const decision of ['approve', 'deny'] as const) {
    const name = `hook-permission-${way}-${decision}`;
    const file = path.join(stage.folder, `${name}.effects`);
    const last = keepLastRequest();
    let read = '';
    const { ended, session } = runClaude(
      stage,
      name,
      way,
      (conversation) => {
        last.keep(conversation);
        read = conversation.all;
        return conversation.step === 0
          ? call('Bash', { command: `echo asked >> ${file}` })
          : done();
      },
      [],
    );
    const asked = await stage.person.answerNext(
      session,
      decision === 'approve'
        ? { decision, updatedInput: { command: `echo edited >> ${file}` } }
        : { decision, reason: REASON },
    );
    const { code, output } = await ended;
    check('Claude Code ends', code === 0, output);
    check('the permission names no call', asked.toolCallId.startsWith('hook.'), asked.toolCallId);
    const ran = effects(file);
    stage.transcript.line('model', `is told: ${last.result?.text}`);
    if (decision === 'approve') {
      check('exactly edited ran, once', ran === 'edited', ran);
      const isTold = read.includes('A person changed');
      if (way === 'http') check('the model is told of the change', isTold, read.slice(-600));
    } else {
      check('nothing ran', ran === '', ran);
      check('the model reads the reason', last.result?.text.includes(REASON) === true, last.result);
    }
  }
}

async function playElicitation(stage: Stage, way: Way): Promise<void> {
  const { check } = checks(stage);
  for (const [answer, expected] of [
    [{ values: { env: 'staging' } }, 'Deployed to staging'],
    [{ decline: true }, 'Not deployed: decline'],
  ] as const) {
    const name = `hook-elicitation-${way}-${expected.length}`;
    const last = keepLastRequest();
    const { ended, session } = runClaude(
      stage,
      name,
      way,
      (conversation) => {
        last.keep(conversation);
        return conversation.step === 0 ? call('mcp__deploys__deploy', {}) : done();
      },
      ['--allowedTools', 'mcp__deploys__deploy'],
    );
    const asked = await stage.person.answerNext(session, answer);
    const { code, output } = await ended;
    check('Claude Code ends', code === 0, output);
    check('a person saw the form', asked.kind === 'form', asked);
    check(`the tool says "${expected}"`, last.result?.text === expected, last.result);
  }
}

export const HOOK_PERMISSIONS: readonly Scene[] = WAYS.map((way) => ({
  name: `hook-permission-${way}`,
  about: `A PermissionRequest hook (${way}): a command runs as the person changed it, or not at all`,
  play: (stage) => playPermission(stage, way),
}));

export const HOOK_ELICITATIONS: readonly Scene[] = WAYS.map((way) => ({
  name: `hook-elicitation-${way}`,
  about: `An Elicitation hook (${way}): the form of an MCP server is filled in, or declined`,
  play: (stage) => playElicitation(stage, way),
}));

/** Names and a number that strict JSON refuses, as a model may write them. */
const ODD_INPUT = { constructor: 'x', amount: 2 ** 60 };

export const HOOK_ODD_INPUT: Scene = {
  name: 'hook-odd-input',
  about: 'An input that only text carries without loss is shown as that text, approved, and runs',
  async play(stage) {
    const { check } = checks(stage);
    const last = keepLastRequest();
    const { ended, session } = runClaude(
      stage,
      'hook-odd-input',
      'http',
      (conversation) => {
        last.keep(conversation);
        return conversation.step === 0 ? call('mcp__deploys__deploy', ODD_INPUT) : done();
      },
      [],
    );
    const asked = await stage.person.answerNext(session, { decision: 'approve' });
    await stage.person.answerNext(session, { values: { env: 'staging' } });
    const { code, output } = await ended;
    check('Claude Code ends', code === 0, output);
    check('a person saw the input as text', asked.wholeInput?.isText === true, asked);
    check('the tool ran', last.result?.text === 'Deployed to staging', last.result);
  },
};
