/** What a retention would delete. A bug here is a session that is deleted though the file it was exported to lacks it. */
import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { RetentionPreview } from '../../../src/protocol/types.ts';
import { serverAdmin } from '../../../src/web/settings/admin/admin-requests.ts';
import { RetentionPage } from '../../../src/web/settings/admin/retention-page.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { mount } from '../../support/web/mount.ts';

afterEach(() => vi.restoreAllMocks());

const OLD = ['a', 'b', 'c'].map((id) => ({ id, title: `Session ${id}`, activeAt: 0 }));

/** Three old sessions; those whose log was read count as exported, and `unreadable` is out of reach. */
function played(unreadable?: string) {
  const exported = new Set<string>(['a']);
  const requests = {
    ...serverAdmin({ token: 'hp_nothing' }),
    settings: async () => ({ retention: { days: 30, exportFirst: true } }),
    previewRetention: async ({
      exportFirst,
    }: {
      exportFirst?: true;
    }): Promise<RetentionPreview> => {
      const sessions = OLD.filter(({ id }) => exportFirst !== true || exported.has(id));
      const kept = { open: 0, pinned: 0, labelled: 0, notExported: OLD.length - sessions.length };
      return { sessions, kept, isPartial: false };
    },
    exportSession: async (id: string) => {
      if (id === unreadable) throw new Error('The export was answered with 503');
      exported.add(id);
      return new Blob([`{"seq":1,"of":"${id}"}\n`]);
    },
  };
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) saved.push(file);
    return '#saved';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  const { element } = mount(
    <main>
      <h1>Settings</h1>
      <RetentionPage requests={requests} clock={handClock()} />
    </main>,
  );
  return { element, saved };
}

it('[TEAM-9] exports what is kept for want of an export, in one file', async () => {
  const { element, saved } = played();
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect.element(page.getByText('1 session would be deleted')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByRole('button', { name: 'Export 2 sessions now' }).click();
  await expect.element(page.getByText('2 sessions exported')).toBeVisible();
  await expect.element(page.getByText('3 sessions would be deleted')).toBeVisible();
  expect(await saved[0]?.text()).toBe(
    [
      '{"session":"b","title":"Session b"}',
      '{"seq":1,"of":"b"}',
      '{"session":"c","title":"Session c"}',
      '{"seq":1,"of":"c"}',
      '',
    ].join('\n'),
  );
  expect(page.getByRole('button', { name: /^Export/ }).query()).toBeNull();
});

it('[TEAM-9] saves the logs before one that cannot be read, and says what failed', async () => {
  const { saved } = played('c');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Export 2 sessions now' }).click();
  await expect.element(page.getByText('Something went wrong')).toBeVisible();
  expect(await saved[0]?.text()).toBe('{"session":"b","title":"Session b"}\n{"seq":1,"of":"b"}\n');
});
