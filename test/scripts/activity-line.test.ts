/** A terminal that shows an agent's words must not let them steer it, or pass for a decision. */
import { expect, it } from 'vitest';
import { activityLine } from '../../scripts/lib/activity-line.ts';

const at = new Date(2026, 10, 18, 9, 5, 7).getTime();
const about = { at, sessionId: 's1', sessionTitle: 'Deploy', interactionId: 'c~1' };
const line = (said: object) => JSON.stringify({ level: 'info', ...said });

it('[OPS-6] draws what opened and how it ended', () => {
  const request = { ...about, toolName: 'Bash', kind: 'approval' };
  expect(activityLine(line({ activity: 'opened', ...request }))).toBe(
    '09:05:07  asked       approval "Bash" in "Deploy"',
  );
  const settled = { activity: 'settled', ...request, sessionTitle: null };
  expect(activityLine(line({ ...settled, outcome: 'approved', subject: 'ada' }))).toBe(
    '09:05:07  approved    approval "Bash" in "s1", by ada',
  );
  expect(activityLine(line({ ...settled, outcome: 'expired' }))).toBe(
    '09:05:07  expired     approval "Bash" in "s1"',
  );
});

it('[OPS-6] draws and cuts what an agent named, and keeps it in quotes', () => {
  const toolName = `Bash" in "x", by ada\u202e\u001b[2J\n${'y'.repeat(200)}`;
  const drawn = activityLine(line({ activity: 'opened', ...about, toolName, kind: 'approval' }));
  expect(drawn).toMatch(
    /approval "Bash\\" in \\"x\\", by ada\\\\u202e\\\\u001b\[2J\\\\u000ay+…" in "Deploy"$/,
  );
  expect(drawn).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(drawn?.length).toBeLessThan(150);
});

it('[OPS-6] leaves every other line as it is', () => {
  for (const other of [
    'workerd: {"level":"info","activity":"opened"}',
    '{"level":"warn","message":"A commit failed"}',
    '{"level":"info","activity":"opened"',
    '{"level":"info","activity":"other"}',
    '',
  ])
    expect(activityLine(other)).toBeUndefined();
});
