/** A bug here looks like a tool call whose approver cannot be found. */
import { describe, expect, it } from 'vitest';
import { ListedAuditEntry as AuditEntry } from '../../src/protocol/schema/workspace.ts';
import { ReportingSession } from './reporting-session.ts';
import { OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

function wholeAudit(harness: WorkspaceHarness, limit: number): AuditEntry[] {
  const found: AuditEntry[] = [];
  let before: string | undefined;
  for (;;) {
    const { entries, next } = valueOf(harness.workspace.audit({ limit, before }));
    found.push(...entries);
    if (next === undefined) return found;
    before = next;
  }
}

/** A row from before there was a chain. */
function earlierRow(seq: number, entry: string) {
  return { number: seq + 1, at: 1, recordedAt: 1, source: 's-1', seq, entry, hash: null };
}

describe('[AUTH-5] the audit list', () => {
  it('records the person, the decision, the time, the origin and the input', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', null);
    harness.workspace.applyReport(
      session.settle('a~1', { subject: 'ada', via: 'link', digest: 'd1' }).report(),
    );
    const { entries } = valueOf(harness.workspace.audit({}));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      sessionId: 's-1',
      seq: 3,
      what: 'interaction',
      interactionId: 'a~1',
      outcome: 'approved',
      subject: 'ada',
      via: 'link',
      digest: 'd1',
    });
    expect(AuditEntry.safeParse(entries[0]).success).toBe(true);
  });

  it('has every decision once, however often the log is reported', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1');
    for (let n = 0; n < 20; n += 1) {
      harness.workspace.applyReport(
        session.ask(`call-${n}~1`, null).settle(`call-${n}~1`).report(),
      );
    }
    expect(wholeAudit(harness, 7).map((entry) => entry.interactionId)).toEqual(
      Array.from({ length: 20 }, (_, n) => `call-${19 - n}~1`),
    );
  });

  it('pages over entries of the same instant without losing one', () => {
    const harness = new WorkspaceHarness();
    for (let n = 0; n < 10; n += 1) {
      const session = new ReportingSession(`s-${n}`).ask('a~1', null);
      harness.workspace.applyReport(session.settle('a~1', { at: harness.now }).report());
      harness.workspace.credentials.createKey({ name: `key ${n}`, scopes: ['read'] }, OLGA);
    }
    const found = wholeAudit(harness, 3);
    expect(new Set(found.map((entry) => entry.key ?? entry.sessionId)).size).toBe(20);
    expect(found).toHaveLength(20);
  });

  it('stays when the session is deleted', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', null).settle('a~1');
    harness.workspace.applyReport(session.remove(harness.now).report());
    expect(wholeAudit(harness, 10)).toHaveLength(1);
  });

  it('leaves out an unreadable entry, with a warning', () => {
    const harness = new WorkspaceHarness();
    const { store } = harness;
    for (const [seq, entry] of ['{', '{"what":"a new thing"}'].entries()) {
      store.write(() => store.audit.append(earlierRow(seq, entry)));
    }
    harness.workspace.credentials.createKey({ name: 'ci', scopes: ['read'] }, OLGA);
    // Both are chained with the new entry, and an entry says so.
    expect(wholeAudit(harness, 1).map(({ what, count }) => [what, count])).toEqual([
      ['key', undefined],
      ['audit', 2],
    ]);
    expect(harness.warned).toHaveLength(2);
  });

  it('shows the known fields of an entry with more fields', () => {
    const harness = new WorkspaceHarness();
    const { store } = harness;
    const known = { at: 1, seq: 1, what: 'gate', subject: 'rule r', via: 'rule' };
    const entry = JSON.stringify({ ...known, mood: 'good' });
    store.write(() => store.audit.append(earlierRow(1, entry)));
    expect(wholeAudit(harness, 1)).toEqual([{ ...known, number: 2, hash: '' }]);
  });
});
