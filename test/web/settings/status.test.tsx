/** The status page. A bug here is a number that a person on a phone cannot read, or that says something else. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Status } from '../../../src/protocol/types.ts';
import { AdminPage } from '../../../src/web/settings/admin/admin-page.tsx';
import { serverAdmin } from '../../../src/web/settings/admin/admin-requests.ts';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { mount } from '../../support/web/mount.ts';
import { personWith } from '../../support/web/person.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const times = {
  kinds: [{ kind: 'approval', count: 2, medianMs: 30_000, p95Ms: 400_000 }],
  points: [
    { at: NOW - 7_200_000, count: 1, medianMs: 2_000, p95Ms: 30_000 },
    { at: NOW - 3_600_000, count: 1, medianMs: 30_000, p95Ms: 400_000 },
  ],
};

function show(agents: NonNullable<Status['agents']>) {
  const status = async (): Promise<Status> => ({
    now: NOW,
    open: 0,
    oldestOpenedAt: null,
    agents,
    answers: { day: times, week: times },
    targets: [],
  });
  return mount(
    <main class="settings">
      <h1>Settings</h1>
      <AdminPage
        section="status"
        person={personWith('admin')}
        clock={handClock(NOW)}
        requests={() => ({ ...serverAdmin({ token: 'hp_nothing' }), status })}
      />
    </main>,
  );
}

beforeEach(() => page.viewport(390, 800));

it('[TEAM-7] the words of the charts keep their size on a phone', async () => {
  const { element } = show({ connected: 2, sessions: 2, isPartial: false });
  const label = page.getByText('1 min', { exact: true }).first();
  await expect.element(label).toBeInTheDocument();
  expect(label.element().getBoundingClientRect().height).toBeGreaterThan(12);
  expect(element.querySelectorAll('svg text')).toHaveLength(0);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

it.each([
  [{ connected: 0, sessions: 3, isPartial: false }, 'Agents connected0No agent is connected.'],
  [{ connected: 2, sessions: 3, isPartial: false }, 'Agents connected2'],
  [
    { connected: 0, sessions: 50, isPartial: true },
    'Agents connected0Counted in at most 50 sessions. Others may have agents too.',
  ],
])('[TEAM-7] of %o it says only what it knows', async (agents, words) => {
  show(agents);
  const title = page.getByText('Agents connected');
  await expect.element(title).toBeVisible();
  expect(title.element().parentElement?.textContent).toBe(words);
});
