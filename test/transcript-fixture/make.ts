/**
 * `npm run fixture:transcripts`: runs the real Claude Code and the real Codex against scripted models on this machine,
 * and keeps the transcripts that they write. Needs npm's registry once; no key and no account.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordClaudeCode } from './claude-code.ts';
import { recordCodex } from './codex.ts';

const RECORDERS = { 'claude-code': recordClaudeCode, codex: recordCodex };

for (const [name, record] of Object.entries(RECORDERS)) {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-transcript-'));
  try {
    const file = path.join(import.meta.dirname, `${name}.jsonl`);
    writeFileSync(file, await record(folder));
    console.log(`wrote ${file}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
