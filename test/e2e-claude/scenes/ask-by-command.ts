/**
 * Claude Code itself, without the SDK: it runs `holdpoint ask` in its shell, with the hook of docs/agents.md, and a person
 * answers in a browser.
 */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium as playwright, type Page } from 'playwright';
import { buildPackage } from '../../../scripts/lib/package/build.ts';
import { PROGRAM } from '../../../scripts/lib/package/manifest.ts';
import { PACKAGE, ROOT } from '../../../scripts/lib/paths.ts';
import { chromium } from '../../../scripts/lib/web/chromium.ts';
import { claudeProgram, runProgram } from '../claude-program.ts';
import type { Stage } from '../stage.ts';
import { call, checks, done, keepLastRequest, type Scene } from './scene.ts';

const SESSION = 'ask-by-command';
const COMMAND = 'holdpoint ask "Which database?" --option PostgreSQL --option SQLite';
const ORIGIN = 'Asked by a command in this call';
const RUN_MS = 90_000;

export const ASK_BY_COMMAND: Scene = {
  name: 'ask',
  about:
    'Claude Code runs `holdpoint ask`; the question stands at the call, also after a reload and an import',
  async play(stage) {
    const { check } = checks(stage);
    const env = await prepare(stage);
    const { transport } = stage.person;
    await transport.createSession({ id: SESSION, title: 'Choose a database' });
    const last = keepLastRequest();
    let answer = '';
    const prompt = stage.script('ask', (conversation) => {
      last.keep(conversation);
      if (conversation.step === 0) return call('Bash', { command: COMMAND }, 'I need a decision.');
      if (conversation.step > 1) return done('It is written.');
      answer = last.result?.text ?? '';
      return call('Bash', { command: 'echo PostgreSQL > database.txt' }, 'I write it down.');
    });
    const browser = await playwright.launch(await chromium());
    const claude = runProgram(
      claudeProgram(),
      ['-p', prompt, '--allowedTools', 'Bash'],
      stage,
      env,
    );
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const link = await stage.linkFor('mia');
      await page.goto(`${link}&session=${SESSION}`);
      await page.getByText(ORIGIN).waitFor({ timeout: RUN_MS });
      const asked = await blocksOf(page);
      check(
        'the question stands right after the call that asks',
        asked.join(' | ') === `${COMMAND} | card`,
        asked,
      );
      await page.reload();
      await page.getByText(ORIGIN).waitFor();
      const reloaded = await blocksOf(page);
      check('and after a reload', reloaded.join() === asked.join(), reloaded);
      const [open] = (await transport.snapshot(SESSION)).open;
      check('its id is that of the call', open?.toolCallId.startsWith('toolu_') === true, open);

      await page.getByLabel('PostgreSQL').check();
      await page.getByRole('button', { name: 'Submit', exact: true }).click();
      const ended = await claude;
      check('Claude Code ends', ended.code === 0, ended);
      check('the command prints the answer', answer.includes('PostgreSQL'), answer);
      await page.getByText('echo PostgreSQL').waitFor();
      const before = await blocksOf(page);

      const [cli] = (await transport.snapshot(SESSION)).session.cliSessions;
      check('the command mapped the conversation', cli?.provider === 'claude-code', cli);
      const imported = await runProgram(
        'holdpoint',
        ['import', cli?.cliSessionId ?? ''],
        stage,
        env,
      );
      check('the transcript is imported', imported.code === 0, imported);
      await page.getByText(/^History from Claude Code/).waitFor();
      await page.getByText('I need a decision.').waitFor();
      const after = await blocksOf(page);
      check('the order of the blocks is the same', after.join() === before.join(), {
        before,
        after,
      });
      await page.reload();
      await page.getByText('I need a decision.').waitFor();
      const again = await blocksOf(page);
      check('and after another reload', again.join() === before.join(), { before, again });
      const texts = await page.locator('.rows').innerText();
      check(
        'the texts of the conversation are around it',
        /I need a decision\.[^]*holdpoint ask[^]*Selected: PostgreSQL[^]*It is written\./.test(
          texts,
        ),
        texts,
      );
    } finally {
      await browser.close();
      await claude;
    }
  },
};

/** The shell calls by their command, and the cards, in their order. */
async function blocksOf(page: Page): Promise<string[]> {
  const found = page.locator('.tool summary .subject, .card');
  const texts = await found.allInnerTexts();
  return texts.map((text) => (/^(holdpoint|echo) /.test(text) ? text : 'card'));
}

/** The built program on the path, and the hook as docs/agents.md has it. */
async function prepare(stage: Stage): Promise<NodeJS.ProcessEnv> {
  await buildPackage();
  const bin = path.join(stage.folder, 'bin');
  const program = path.join(PACKAGE, `${PROGRAM.file}.js`);
  mkdirSync(bin, { recursive: true });
  // As npm installs it.
  chmodSync(program, 0o755);
  symlinkSync(program, path.join(bin, PROGRAM.name));
  const page = readFileSync(path.join(ROOT, 'docs/agents.md'), 'utf8');
  const hook = /```json\n(\{\n {2}"hooks"[^]*?)```/.exec(page)?.[1];
  if (hook === undefined) throw new Error('docs/agents.md has no hook');
  const settings = path.join(stage.work, '.claude');
  mkdirSync(settings, { recursive: true });
  writeFileSync(path.join(settings, 'settings.json'), hook);
  return { ...stage.env, HOLDPOINT_SESSION: SESSION, PATH: `${bin}:${process.env['PATH']}` };
}
