/** [ALN-1] `holdpoint import`: a transcript as it is, grown, rewritten, and one that another session has. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HttpTransport } from '../../src/client/index.ts';
import { emptyFolder, runCli } from '../support/cli.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';

const server = await sharedServer();
const admin = new HttpTransport({ url: server.url, token: ADMIN_KEY });
const env = { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: await keyWith('agent') };

function line(id: string, uuid: string, text: string): string {
  return `${JSON.stringify({
    type: 'user',
    uuid,
    parentUuid: null,
    isSidechain: false,
    sessionId: id,
    cwd: '/home/ada/app',
    timestamp: '2026-11-19T05:00:00.000Z',
    message: { role: 'user', content: text },
  })}\n`;
}

/** As Claude Code keeps it below its settings. */
function transcriptOf(id: string, ...texts: readonly string[]): { home: string; file: string } {
  const home = emptyFolder();
  const folder = path.join(home, '.claude/projects/-home-ada-app');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${id}.jsonl`);
  writeFileSync(file, texts.map((text, index) => line(id, `u${index + 1}`, text)).join(''));
  return { home, file };
}

async function textsIn(session: string): Promise<string[]> {
  const { entries } = await admin.history(session);
  return entries.flatMap((entry) => (entry.type === 'user_message' ? [entry.payload.text] : []));
}

describe('[ALN-1, CLI-1] import', () => {
  it('finds a transcript by the id of its conversation, and begins its session', async () => {
    const { home } = transcriptOf('imported-1', 'Hello', 'Again');
    const ended = await runCli(['import', 'imported-1'], { env, home });
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toMatch(
      /^\d+ entries of claude-code:imported-1 are in claude-code:imported-1\.\n$/,
    );
    expect(await textsIn('claude-code:imported-1')).toEqual(['Hello', 'Again']);
    const found = await admin.findCliSession('claude-code', 'imported-1');
    expect(found.title).toBe('app (Claude Code)');
  });

  it('takes the conversation in whose shell it runs, and the session that it asked in', async () => {
    const { home } = transcriptOf('imported-2', 'Hello');
    const shell = { ...env, CLAUDE_CODE_SESSION_ID: 'imported-2' };
    const asked = await runCli(['ask', 'Now?', '--detach', '--session', 'deploys'], { env: shell });
    expect(asked.code).toBe(0);
    const ended = await runCli(['import'], { env: shell, home });
    expect(ended.out).toContain('are in deploys.');
    expect(await textsIn('deploys')).toEqual(['Hello']);
  });

  it('sends what is new after the file grew, and replaces what was rewritten', async () => {
    const { home, file } = transcriptOf('imported-3', 'one', 'two');
    const importIt = async () => {
      const { out, code } = await runCli(['import', file, '--json'], { env, home });
      expect(code).toBe(0);
      return JSON.parse(out) as { entries: number; rev: number; session: string };
    };
    const first = await importIt();
    expect(await importIt()).toEqual(first);
    appendFileSync(file, line('imported-3', 'u3', 'three'));
    const grown = await importIt();
    expect(grown.entries).toBeGreaterThan(first.entries);
    expect(grown.rev).toBe(first.rev);
    expect(await textsIn(first.session)).toEqual(['one', 'two', 'three']);
    writeFileSync(file, readFileSync(file, 'utf8').replace('two', 'zwei'));
    expect((await importIt()).rev).toBe(first.rev + 1);
    expect(await textsIn(first.session)).toEqual(['one', 'zwei', 'three']);
  });

  it('is harmless from two processes at once', async () => {
    const { home, file } = transcriptOf('imported-4', 'one', 'two', 'three');
    const both = await Promise.all([1, 2].map(() => runCli(['import', file], { env, home })));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await textsIn('claude-code:imported-4')).toEqual(['one', 'two', 'three']);
  });

  it('says whose a conversation is that another session has', async () => {
    const { home, file } = transcriptOf('imported-5', 'one');
    await admin.createSession({ id: 'owner' });
    await admin.mapCliSession('owner', { provider: 'claude-code', cliSessionId: 'imported-5' });
    const ended = await runCli(['import', file, '--session', 'other'], { env, home });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain(
      'belongs to the session owner; import it there with --session owner',
    );
    const without = await runCli(['import', file], { env, home });
    expect(without.out).toContain('are in owner.');
  });

  it.each([
    ['a file that is no transcript', 'notes.txt', 'Dear diary,\n', /not a transcript/],
    ['an empty file', 'empty.jsonl', '', /not a transcript|empty/],
    ['another JSON', 'other.jsonl', '{"a":1}\n', /not a transcript/],
  ])('refuses %s', async (_what, name, text, sentence) => {
    const home = emptyFolder();
    writeFileSync(path.join(home, name), text);
    const { code, err } = await runCli(['import', name], { env, home });
    expect(code).toBe(2);
    expect(err).toMatch(sentence);
  });

  it('says where it looked for a conversation', async () => {
    const home = emptyFolder();
    const { code, err } = await runCli(['import', 'no-such-id'], { env, home });
    expect(code).toBe(2);
    expect(err).toContain(`${home}/.claude/projects and ${home}/.codex/sessions`);
    expect((await runCli(['import', '../../etc'], { env, home })).code).toBe(2);
    expect((await runCli(['import'], { env, home })).err).toContain('Which transcript?');
  });
});
