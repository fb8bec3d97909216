/** A bug here looks like a list with another name in it that still verifies. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyAuditLines } from '../../src/cli/verify-audit.ts';
import { AuditChainCheck, auditGenesis, hashAuditEntry } from '../../src/protocol/audit-chain.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const GENESIS = auditGenesis('main', sha256);
const MEMBERS = { at: 1, what: 'answer', subject: 'ana', via: 'web' };
const LINK = { number: 1, previous: GENESIS };
const LINE = JSON.stringify({ ...MEMBERS, ...LINK, hash: hashAuditEntry(MEMBERS, LINK, sha256) });

async function problemIn(text: string): Promise<string | undefined> {
  async function* parts() {
    yield `${text}\n`;
  }
  return verifyAuditLines(parts(), new AuditChainCheck(sha256, { genesis: GENESIS }));
}

it('[TEAM-4] holds as it was exported', async () => {
  expect(await problemIn(LINE)).toBeUndefined();
});

it.each([
  ['before the one that the chain covers', LINE.replace('{', '{"subject":"eve",')],
  ['after it', LINE.replace(/}$/, ',"subject":"ana"}')],
  ['within a value', LINE.replace('{', '{"by":{"key":"a","key":"b"},')],
])('[TEAM-4] a line with a member twice is no entry: %s', async (_where, line) => {
  expect(await problemIn(line)).toContain('Line 1 is no entry');
});
