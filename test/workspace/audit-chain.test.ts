/** A bug here looks like a list that somebody shortened or corrected, and that still verifies. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  AuditChainCheck,
  auditGenesis,
  readAuditMembers,
  readChainedLine,
} from '../../src/protocol/audit-chain.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ReportingSession } from './reporting-session.ts';
import { OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const GENESIS = auditGenesis('', sha256);

/** The lines of an export, as they come over the wire. */
function exported({ workspace }: WorkspaceHarness): JsonObject[] {
  const lines: JsonObject[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = workspace.exportAudit({ after, upTo: Number.MAX_SAFE_INTEGER, filter: {} });
    for (const { entry, number, previous, hash } of page.rows) {
      lines.push({
        ...readAuditMembers(entry),
        number,
        previous: previous ?? '',
        hash: hash ?? '',
      });
    }
    after = page.next;
  }
  return lines;
}

function problemIn(
  lines: readonly JsonObject[],
  kept?: { number: number; hash: string },
): string | undefined {
  const check = new AuditChainCheck(sha256, { genesis: GENESIS, ...(kept && { kept }) });
  for (const value of lines) {
    const line = readChainedLine(value);
    const problem = line === undefined ? 'no line' : check.checkNext(line);
    if (problem !== undefined) return problem;
  }
  return check.checkEnd();
}

function filled(count = 6): WorkspaceHarness {
  const harness = new WorkspaceHarness();
  const session = new ReportingSession('s-1');
  for (let n = 0; n < count; n += 2) {
    session.ask(`call-${n}~1`, null).settle(`call-${n}~1`, { reason: 'fine “so” 🎉' });
    harness.workspace.applyReport(session.report());
    harness.workspace.credentials.createKey({ name: `key ${n}`, scopes: ['read'] }, OLGA);
  }
  return harness;
}

const change = (harness: WorkspaceHarness, sql: string) => harness.database.run(sql);

describe('[TEAM-4] the chain of the audit list', () => {
  it('holds, in the order in which the entries arrived', () => {
    const harness = filled();
    const lines = exported(harness);
    expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(problemIn(lines)).toBeUndefined();
    const { head, entries } = valueOf(harness.workspace.audit({}));
    expect(head).toEqual({ number: 6, hash: lines[5]?.['hash'] });
    expect(entries[0]).toMatchObject({ number: 6, hash: head?.hash });
  });

  it('breaks where an entry was edited, also if its hash was made again', () => {
    const harness = filled();
    change(harness, `UPDATE audit SET entry = replace(entry, 'ada', 'eve') WHERE number = 3`);
    expect(problemIn(exported(harness))).toBe('Entry 3 was changed: its hash is of other contents');
    change(harness, `UPDATE audit SET hash = '${sha256('made again')}' WHERE number = 3`);
    const lines = exported(harness);
    expect(problemIn(lines.slice(0, 2))).toBeUndefined();
    expect(problemIn(lines)).toContain('Entry 3');
  });

  it.each([
    ['deleted', 'DELETE FROM audit WHERE number = 4', 'Entry 4 is missing'],
    ['deleted, many', 'DELETE FROM audit WHERE number IN (2, 3)', 'Entries 2 to 3 are missing'],
    [
      'moved up over a deleted one',
      'DELETE FROM audit WHERE number = 4; UPDATE audit SET number = 4 WHERE number = 5; UPDATE audit SET number = 5 WHERE number = 6',
      'Entry 4 was changed: its hash is of other contents',
    ],
    [
      'exchanged',
      'UPDATE audit SET number = 99 WHERE number = 2; UPDATE audit SET number = 2 WHERE number = 3; UPDATE audit SET number = 3 WHERE number = 99',
      'Entry 2 was changed: its hash is of other contents',
    ],
    [
      'invented',
      `INSERT INTO audit VALUES (7, 1, 1, '', 7, '{"what":"key"}', 'invented')`,
      'Entry 7 was changed: its hash is of other contents',
    ],
    [
      'spoiled',
      `UPDATE audit SET entry = '{' WHERE number = 1`,
      'Entry 1 was changed: its hash is of other contents',
    ],
  ])('breaks where an entry was %s', (_what, sql, problem) => {
    const harness = filled();
    for (const statement of sql.split('; ')) change(harness, statement);
    expect(problemIn(exported(harness))).toBe(problem);
  });

  it('shows a lost end, or a list that was written anew, by a hash that was kept', () => {
    const harness = filled();
    const kept = valueOf(harness.workspace.audit({})).head ?? { number: 0, hash: '' };
    change(harness, 'DELETE FROM audit WHERE number > 4');
    expect(problemIn(exported(harness))).toBeUndefined();
    expect(problemIn(exported(harness), kept)).toContain('the list lost its end');
    harness.workspace.credentials.createKey({ name: 'new', scopes: ['read'] }, OLGA);
    harness.workspace.credentials.createKey({ name: 'newer', scopes: ['read'] }, OLGA);
    expect(problemIn(exported(harness))).toBeUndefined();
    expect(problemIn(exported(harness), kept)).toBe('Entry 6 has another hash than the one kept');
    expect(problemIn(exported(filled()), kept)).toBeUndefined();
  });

  it('belongs to one workspace', () => {
    const check = new AuditChainCheck(sha256, { genesis: auditGenesis('other', sha256) });
    const first = readChainedLine(exported(filled())[0] ?? {});
    expect(first && check.checkNext(first)).toBe('Entry 1 begins the list of another workspace');
  });

  it('does not fork when a report comes again, in part or from an older copy of the file', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', null).settle('a~1');
    const before = session.head;
    harness.workspace.applyReport(session.report());
    harness.workspace.applyReport(session.report());
    harness.workspace.applyReport(session.ask('b~1', null).settle('b~1').report());
    harness.workspace.applyReport(session.report(before));
    expect(exported(harness)).toHaveLength(2);
    const copy = { incarnation: 'copy', replaces: 'file' };
    harness.workspace.applyReport(session.report(0, session.head, copy));
    expect(exported(harness)).toHaveLength(2);
    harness.workspace.applyReport(
      session.ask('c~1', null).settle('c~1').report(0, session.head, { incarnation: 'copy' }),
    );
    expect(exported(harness).map(({ interactionId }) => interactionId)).toEqual([
      'a~1',
      'b~1',
      'c~1',
    ]);
    expect(problemIn(exported(harness))).toBeUndefined();
  });

  it('is unbroken after a transaction that failed, as on a full disk', () => {
    const harness = filled();
    const { store } = harness;
    const { append } = store.audit;
    const session = new ReportingSession('s-2').ask('a~1', null).settle('a~1').ask('b~1', null);
    session.settle('b~1');
    let calls = 0;
    store.audit.append = (row) => {
      if ((calls += 1) === 2) throw new Error('disk full');
      append.call(store.audit, row);
    };
    expect(() => harness.workspace.applyReport(session.report())).toThrow('disk full');
    store.audit.append = append;
    expect(exported(harness)).toHaveLength(6);
    harness.workspace.applyReport(session.report());
    expect(exported(harness)).toHaveLength(8);
    expect(problemIn(exported(harness))).toBeUndefined();
  });

  it('goes on while the clock goes back, and a search by time finds what happened then', () => {
    const harness = filled();
    harness.now -= 3_600_000;
    harness.workspace.credentials.createKey({ name: 'earlier', scopes: ['read'] }, OLGA);
    expect(problemIn(exported(harness))).toBeUndefined();
    const { entries } = valueOf(
      harness.workspace.audit({ from: harness.now, to: harness.now + 1 }),
    );
    expect(entries.map(({ named }) => named)).toEqual(['earlier']);
  });

  it('takes entries from before it, says how many, and hashes what no JSON is', () => {
    const harness = new WorkspaceHarness();
    const { audit } = harness.store;
    const texts = ['{"what":"key"}', '{', '[1]', '"\\ud800"', '{"reason":"\\ud800"}'];
    harness.store.write(() => {
      for (const [index, entry] of texts.entries()) {
        const number = index + 1;
        audit.append({ number, at: 1, recordedAt: 1, source: '', seq: number, entry, hash: null });
      }
    });
    expect(valueOf(harness.workspace.audit({})).head).toBeNull();
    expect(problemIn(exported(harness))).toBeUndefined();
    harness.workspace.credentials.createKey({ name: 'new', scopes: ['read'] }, OLGA);
    const lines = exported(harness);
    expect(lines[5]).toMatchObject({ what: 'audit', change: 'chained', count: 5, via: 'system' });
    expect(lines).toHaveLength(7);
    expect(problemIn(lines)).toBeUndefined();
  });
});

describe('[TEAM-4] a search of the audit list', () => {
  const found = (harness: WorkspaceHarness, query: Parameters<typeof harness.workspace.audit>[0]) =>
    valueOf(harness.workspace.audit(query)).entries.map(({ number }) => number);

  it('finds by person, thing, session, outcome, time and text, together', () => {
    const harness = new WorkspaceHarness();
    const one = new ReportingSession('s-1').ask('a~1', null).settle('a~1', { reason: 'Deploy it' });
    const other = new ReportingSession('s-2').ask('a~1', null);
    other.settle('a~1', { outcome: 'denied', subject: 'bob', at: harness.now + 9 });
    harness.workspace.applyReport(one.report());
    harness.workspace.applyReport(other.report());
    harness.workspace.credentials.createKey({ name: 'Deployer', scopes: ['read'] }, OLGA);
    expect(found(harness, { who: 'bob' })).toEqual([2]);
    expect(found(harness, { what: 'key' })).toEqual([3]);
    expect(found(harness, { session: 's-1' })).toEqual([1]);
    expect(found(harness, { outcome: 'denied' })).toEqual([2]);
    expect(found(harness, { text: 'DEPLOY' })).toEqual([3, 1]);
    expect(found(harness, { text: 'deploy', what: 'interaction' })).toEqual([1]);
    expect(found(harness, { from: harness.now + 9 })).toEqual([2]);
    expect(found(harness, { to: harness.now + 9, who: 'bob' })).toEqual([]);
    expect(found(harness, { who: `bob" OR 1 --` })).toEqual([]);
  });

  it('pages through a long list, looking at a part of it at a time', () => {
    const harness = new WorkspaceHarness();
    const { audit } = harness.store;
    harness.store.write(() => {
      for (let number = 1; number <= 45_000; number += 1) {
        const entry = JSON.stringify({ at: 1, seq: 1, what: 'key', subject: 'bo', via: 'cli' });
        const rare = entry.replace('bo', 'rare');
        const shown = number === 3 ? rare : entry;
        audit.append({ number, at: 1, recordedAt: 1, source: '', seq: 1, entry: shown, hash: 'x' });
      }
    });
    const numbers: number[] = [];
    let before: string | undefined;
    let pages = 0;
    do {
      const page = valueOf(harness.workspace.audit({ who: 'rare', before }));
      numbers.push(...page.entries.map(({ number }) => number));
      before = page.next;
      pages += 1;
    } while (before !== undefined);
    expect(numbers).toEqual([3]);
    expect(pages).toBe(3);
  });
});
