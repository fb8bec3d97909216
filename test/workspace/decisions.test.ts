/** A bug here looks like a person who cannot find what they approved, or who reads what somebody else decided. */
import { describe, expect, it } from 'vitest';
import type { Decider } from '../../src/workspace/ports.ts';
import { MemoryWorkspaceStore } from '../../src/platform/memory/workspace-store.ts';
import { listDecisions } from '../../src/workspace/inbox.ts';
import type { AuditEntry, DecisionEntry } from '../../src/protocol/schema/workspace.ts';
import { ReportingSession } from './reporting-session.ts';
import { OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const ADA: Decider = { subject: 'ada', key: 'key_1' };
const by = ({ subject, key }: Decider): Partial<AuditEntry> => ({
  subject,
  by: { credential: `token of ${subject}`, key },
});

function decide(harness: WorkspaceHarness, id: string, how: Partial<AuditEntry>) {
  const session = new ReportingSession(id).ask('call~1', null).settle('call~1', how).rename(id);
  harness.workspace.applyReport(session.report());
}

function idsOf(harness: WorkspaceHarness, decider?: Decider, limit = 100): string[] {
  const found: DecisionEntry[] = [];
  let before: string | undefined;
  do {
    const page = valueOf(harness.workspace.decisions({ limit, before }, decider));
    found.push(...page.decisions);
    before = page.next;
  } while (before !== undefined);
  return found.map(({ sessionId }) => sessionId);
}

const auditRow = (number: number, entry: string) => ({
  number,
  entry,
  at: 1,
  recordedAt: 1,
  source: 's',
  seq: number,
  hash: null,
});

describe('[BOX-4] the list of decisions', () => {
  it('has what this person decided, with outcome, reason and the title of the session', () => {
    const harness = new WorkspaceHarness();
    decide(harness, 'mine', { ...by(ADA), outcome: 'denied', reason: 'Not today' });
    decide(harness, 'other', by({ subject: 'bob', key: 'key_1' }));
    const { decisions } = valueOf(harness.workspace.decisions({}, ADA));
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toMatchObject({
      sessionId: 'mine',
      sessionTitle: 'mine',
      what: 'interaction',
      subject: 'ada',
      outcome: 'denied',
      reason: 'Not today',
      interactionId: 'call~1',
    });
    expect(JSON.stringify(decisions)).not.toContain('token of ada');
  });

  it('tells apart two people to whom different keys gave one name', () => {
    const harness = new WorkspaceHarness();
    decide(harness, 'mine', by(ADA));
    decide(harness, 'forged', by({ subject: 'ada', key: 'key_of_an_agent' }));
    expect(idsOf(harness, ADA)).toEqual(['mine']);
    expect(idsOf(harness, { subject: 'ada', key: 'key_of_an_agent' })).toEqual(['forged']);
  });

  it('has everyone’s decisions and those of rules, and no change of settings', () => {
    const harness = new WorkspaceHarness();
    decide(harness, 'mine', by(ADA));
    decide(harness, 'rule', { what: 'gate', subject: 'rule rule_1', via: 'rule' });
    decide(harness, 'settings', { what: 'settings', subject: 'olga' });
    harness.workspace.credentials.createKey({ name: 'CI', scopes: ['read'] }, OLGA);
    expect(idsOf(harness).toSorted()).toEqual(['mine', 'rule']);
  });

  it('pages newest first over decisions of one instant, none missing and none twice', () => {
    const harness = new WorkspaceHarness();
    for (let n = 0; n < 30; n += 1) decide(harness, `s-${n}`, { ...by(ADA), at: harness.now });
    const found = idsOf(harness, ADA, 7);
    expect(found).toHaveLength(30);
    expect(new Set(found).size).toBe(30);
  });

  it('finds a decision behind more entries than one request looks through', () => {
    const harness = new WorkspaceHarness();
    decide(harness, 'mine', by(ADA));
    const { audit } = harness.store;
    const first = (audit.head()?.number ?? 0) + 1;
    const others = { at: 1, seq: 1, sessionId: 's', what: 'interaction', via: 'web' };
    harness.store.write(() => {
      for (let n = 0; n < 20_500; n += 1) {
        audit.append(auditRow(first + n, JSON.stringify({ ...others, subject: 'bob' })));
      }
    });
    const page = valueOf(harness.workspace.decisions({}, ADA));
    expect(page.decisions).toEqual([]);
    expect(page.next).toBeDefined();
    expect(idsOf(harness, ADA)).toEqual(['mine']);
  });

  it('leaves out an entry that cannot be read, with a warning, and keeps the others', () => {
    const harness = new WorkspaceHarness();
    decide(harness, 'mine', by(ADA));
    harness.store.write(() => {
      for (const [at, entry] of ['no JSON', '{"what":"interaction","at":"late"}'].entries())
        harness.store.audit.append(auditRow(90 + at, entry));
    });
    expect(idsOf(harness)).toEqual(['mine']);
    expect(harness.warned).toHaveLength(1);
  });

  it('is the same in memory', () => {
    const store = new MemoryWorkspaceStore();
    for (const [seq, entry] of [by(ADA), by({ subject: 'bob', key: 'key_1' })].entries()) {
      const whole = { at: 1, seq, sessionId: 's', what: 'interaction', via: 'web', ...entry };
      store.audit.append(auditRow(seq + 1, JSON.stringify(whole)));
    }
    const { decisions } = valueOf(listDecisions(store, {}, ADA, () => undefined));
    expect(decisions.map(({ subject }) => subject)).toEqual(['ada']);
  });
});
