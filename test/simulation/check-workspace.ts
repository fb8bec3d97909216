/** After all reports: the workspace shows exactly what the logs hold. */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { AuditEntry, InboxEntry } from '../../src/protocol/schema/workspace.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import type { Simulation } from './simulation.ts';

export function checkWorkspace(simulation: Simulation): void {
  for (const { id, ledger } of simulation.sessions) {
    const confirmedHead = simulation.workspace.confirmedHeads.get(id) ?? 0;
    const isKnown = confirmedHead === ledger.confirmedHead;
    simulation.judge.hold(
      isKnown,
      'I11',
      () => `${id} is at ${ledger.head}, reported was ${confirmedHead}`,
    );
  }
  const workspace = simulation.workspace.host.wake();
  checkInbox(simulation, workspace);
  checkSessions(simulation, workspace);
  checkAudit(simulation, workspace);
  checkRevoked(simulation);
}

function checkInbox(simulation: Simulation, workspace: Workspace): void {
  const shown = allOf((after) => {
    const page = workspace.inbox({ limit: 7, after });
    if (!page.ok) throw new Error(page.message);
    return { rows: page.value.interactions, next: page.value.next };
  });
  const expected = simulation.sessions.flatMap(({ id, model }) =>
    model.open.map(
      (interaction) => `${id} ${interaction.id} ${interaction.deadline} ${interaction.isOverdue}`,
    ),
  );
  const lines = shown.map(
    (entry: InboxEntry) =>
      `${entry.sessionId} ${entry.interactionId} ${entry.expiresAt} ${entry.overdue === true}`,
  );
  same(simulation, 'I11', 'the inbox', lines, expected);
  const page = workspace.inbox({ limit: 1 });
  const total = page.ok ? page.value.total : -1;
  simulation.judge.hold(total === expected.length, 'I11', () => `the inbox counts ${total}`);
  const due = shown.map((entry) => entry.expiresAt ?? Number.POSITIVE_INFINITY);
  const isSorted = due.every((at, index) => index === 0 || (due[index - 1] ?? 0) <= at);
  simulation.judge.hold(isSorted, 'I11', () => `the inbox is not in order: ${due.join(' ')}`);
}

function checkSessions(simulation: Simulation, workspace: Workspace): void {
  const page = workspace.sessions({});
  const shown = page.ok ? page.value.sessions : [];
  const lines = shown.map(({ id, title, head, open }) => `${id} ${title} ${head} ${open}`);
  const expected = simulation.sessions
    .filter(({ model }) => model.exists)
    .map(({ id, model }) => `${id} ${model.title} ${model.head} ${model.open.length}`);
  same(simulation, 'I11', 'the list of sessions', lines, expected);
}

function checkAudit(simulation: Simulation, workspace: Workspace): void {
  const entries = allOf((before) => {
    const page = workspace.audit({ limit: 50, before });
    if (!page.ok) throw new Error(page.message);
    return { rows: page.value.entries, next: page.value.next };
  });
  const listed = entries
    .filter(({ what }: AuditEntry) => what !== 'key' && what !== 'token')
    .map(auditLine);
  const expected = simulation.sessions.flatMap(({ id, ledger }) =>
    ledger.events.flatMap((event) => decisionIn(id, event) ?? []),
  );
  same(simulation, 'audit', 'the audit list', listed, expected);
  const own = new Set(entries.map((entry) => `${entry.key ?? entry.token} ${entry.change}`));
  for (const known of simulation.admin.acknowledged) {
    simulation.judge.hold(
      own.has(known),
      'audit',
      () => `${known} was acknowledged and is not listed`,
    );
  }
}

function auditLine({ sessionId, seq, subject, interactionId, outcome, change }: AuditEntry) {
  return [sessionId, seq, subject, interactionId, outcome, change].join(' ');
}

/** The required entry of the audit list for a decision, or for a change of the mode or a rule. */
function decisionIn(id: string, event: SessionEvent): string | undefined {
  const line = (...rest: unknown[]) => [id, event.seq, ...rest].join(' ');
  if (event.type === 'interaction_response') {
    const { settledBy, interactionId, outcome } = event.payload;
    return line(settledBy.subject, interactionId, outcome, undefined);
  }
  if (event.type === 'tool_call' && event.payload.decided !== undefined) {
    const { by, behavior } = event.payload.decided;
    const subject = 'rule' in by ? `rule ${by.rule}` : `mode ${by.mode}`;
    return line(subject, undefined, behavior === 'allow' ? 'approved' : 'denied', undefined);
  }
  if (event.type === 'session_status' && event.payload.status === 'deleted') {
    return line(event.payload.by?.subject, undefined, undefined, 'deleted');
  }
  if (event.type !== 'session_updated') return undefined;
  const { by, permissionMode, ruleAdded, ruleRevoked } = event.payload;
  const isDecision = permissionMode ?? ruleAdded ?? ruleRevoked;
  return isDecision && line(by.subject, undefined, undefined, undefined);
}

function checkRevoked(simulation: Simulation): void {
  const rows = simulation.workspace.rows();
  for (const { id, connections } of simulation.sessions) {
    for (const { attachment, cut, isClosed } of connections) {
      if (attachment.role !== 'subscriber' || cut !== null || isClosed) continue;
      const { credential } = attachment.caller;
      const isRevoked = rows.revocations.has(credential);
      simulation.judge.hold(!isRevoked, 'revoked', () => `${credential} still hears ${id}`);
    }
  }
}

function allOf<Row>(
  page: (cursor: string | undefined) => { rows: readonly Row[]; next: string | undefined },
): Row[] {
  const all: Row[] = [];
  let cursor: string | undefined;
  do {
    const { rows, next } = page(cursor);
    all.push(...rows);
    cursor = next;
  } while (cursor !== undefined);
  return all;
}

function same(
  simulation: Simulation,
  rule: string,
  what: string,
  shown: readonly string[],
  expected: readonly string[],
): void {
  const [left, right] = [shown.toSorted(), expected.toSorted()];
  simulation.judge.hold(
    left.join('\n') === right.join('\n'),
    rule,
    () =>
      `${what}: too much is ${left.filter((line) => !right.includes(line)).join('; ') || 'nothing'}, ` +
      `missing is ${right.filter((line) => !left.includes(line)).join('; ') || 'nothing'}` +
      ` (${left.length} shown, ${right.length} expected)`,
  );
}
