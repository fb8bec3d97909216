/** A bug here shows an interaction twice on the terminal, leaves out its end, or prints the request itself. */
import { expect, it } from 'vitest';
import { ReportingSession } from './reporting-session.ts';
import { WorkspaceHarness } from './workspace-harness.ts';

const shown = ({ activities }: WorkspaceHarness) =>
  activities.map(({ activity, interactionId, outcome, subject }) =>
    [activity, interactionId, outcome, subject].filter((part) => part !== undefined).join(' '),
  );

it('[OPS-6] shows each interaction once when it opens and once when it ends, with the person who ended it', () => {
  const harness = new WorkspaceHarness();
  const session = new ReportingSession('s-1').rename('Deploy').ask('one~1', null);
  harness.workspace.applyReport(session.report());
  harness.workspace.applyReport(session.report());
  session.change('one~1', { expiresAt: harness.now + 1_000 });
  harness.workspace.applyReport(session.report(session.head - 1));
  session.settle('one~1').ask('two~1', null, { openedAt: harness.now + 10 });
  // A report that overlaps the known log, as after a crash between a report and its confirmation.
  harness.workspace.applyReport(session.report(0));
  session.settle('two~1', { outcome: 'expired', via: 'timeout', subject: 'system' });
  harness.workspace.applyReport(session.report(session.head - 1));
  expect(shown(harness)).toEqual([
    'opened one~1',
    'settled one~1 approved ada',
    'opened two~1',
    'settled two~1 expired',
  ]);
  expect(harness.activities[0]).toEqual({
    activity: 'opened',
    at: session.open.get('one~1')?.openedAt ?? 1_700_000_000_000,
    sessionId: 's-1',
    sessionTitle: 'Deploy',
    interactionId: 'one~1',
    toolName: 'bash',
    kind: 'approval',
  });
});

it('[OPS-6, QST-8] shows the opening and the end of an interaction within one report', () => {
  const harness = new WorkspaceHarness();
  const session = new ReportingSession('s-1').ask('quick~1', null).settle('quick~1');
  harness.workspace.applyReport(session.report());
  expect(shown(harness)).toEqual(['opened quick~1', 'settled quick~1 approved ada']);
});
