/** The list of sessions: order, marks, search, and what a person does with a session of it. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Sidebar } from '../../src/web/app/sidebar.tsx';
import { startServerClock } from '../../src/web/clock.ts';
import { fetchLaterParts } from '../../src/web/hooks/use-later-parts.ts';
import { useSessions } from '../../src/web/hooks/use-sessions.ts';
import type { KeyValueStore } from '../../src/web/model/key-value-store.ts';
import { axeProblems } from '../support/web/axe.ts';
import { modelText } from '../support/web/events.ts';
import { type InPageServer, startInPageServer } from '../support/web/in-page-server.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { personWith } from '../support/web/person.ts';
import { inLongRun } from '../support/run-length.ts';

const SCOPES = ['read', 'answer', 'send', 'admin'] as const;
const clock = startServerClock();

interface ShownProps {
  readonly server: InPageServer;
  readonly store: KeyValueStore;
  readonly current?: string | undefined;
  readonly gone: string[];
}

function Shown({ server, store, current, gone }: ShownProps) {
  const sessions = useSessions(server.person, clock, true);
  return (
    <Sidebar
      {...{ sessions, current, clock, store }}
      isSettings={false}
      person={personWith(...SCOPES)}
      transport={server.person}
      onDeleted={(id) => gone.push(id)}
      onSignOut={() => undefined}
    />
  );
}

async function show(current?: (ids: readonly string[]) => string) {
  await fetchLaterParts();
  const server = startInPageServer(SCOPES);
  const ids: string[] = [];
  for (const title of ['Move the notes', 'Deploy', 'Answer the mail']) {
    ids.push((await server.owner.createSession({ title })).id);
    await new Promise((done) => setTimeout(done, 5));
  }
  await server.agent.appendEvents(ids[0] ?? '', [modelText('I moved **all** of them.')]);
  const gone: string[] = [];
  const store = memoryStore();
  const { element } = mount(<Shown {...{ server, store, gone }} current={current?.(ids)} />);
  await expect.element(page.getByRole('link', { name: /Move the notes/ })).toBeVisible();
  return { server, ids, element, gone };
}

const rows = () => [...document.querySelectorAll<HTMLElement>('.session-row .title')];
const titles = () => rows().map((row) => row.innerText);
const menuOf = (title: string) => page.getByRole('button', { name: `More about ${title}` });

it('[DAILY-4] shows the last active session first, with its last line and its agent', async () => {
  const { element } = await show();
  expect(titles()).toEqual(['Move the notes', 'Answer the mail', 'Deploy']);
  await expect.element(page.getByText('I moved all of them.')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

inLongRun(() => {
  it('[DAILY-4] pins for one person, and moves to the archive and back for all', async () => {
    const { server, ids, element } = await show();
    await menuOf('Deploy').click();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    await page.getByRole('button', { name: 'Pin for me' }).click();
    await expect.element(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();
    await expect.poll(titles).toEqual(['Deploy', 'Move the notes', 'Answer the mail']);
    await menuOf('Answer the mail').click();
    await page.getByRole('button', { name: 'Archive for everyone' }).click();
    await expect.poll(titles).toEqual(['Deploy', 'Move the notes']);
    await page.getByRole('button', { name: 'Show archived' }).click();
    await expect.poll(titles).toEqual(['Answer the mail']);
    await menuOf('Answer the mail').click();
    await page.getByRole('button', { name: 'Move back to the list' }).click();
    await expect.element(page.getByText('Nothing is archived.')).toBeVisible();
    await page.getByRole('button', { name: 'Back to the sessions' }).click();
    await expect.poll(titles).toHaveLength(3);
    expect((await server.owner.snapshot(ids[2] ?? '')).session.archived).toBe(false);
  });
});

it('[DAILY-4] finds by words, and says when nothing has them', async () => {
  const { element } = await show();
  await page.getByRole('searchbox', { name: 'Find a session' }).fill('notes MOVE');
  await expect.poll(titles).toEqual(['Move the notes']);
  await page.getByRole('searchbox').fill('nothing like it');
  await expect.element(page.getByText('No session has these words.')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByRole('searchbox').fill('');
  await expect.poll(titles).toHaveLength(3);
});

it('[DAILY-4] renames, and deletes only after a confirmation', async () => {
  const { ids, gone } = await show();
  await menuOf('Deploy').click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Deploy to staging');
  await userEvent.keyboard('{Enter}');
  await expect.poll(titles).toContain('Deploy to staging');
  await menuOf('Deploy to staging').click();
  await page.getByRole('button', { name: 'Delete session' }).click();
  expect(gone).toEqual([]);
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect.poll(titles).toHaveLength(2);
  expect(gone).toEqual([ids[1]]);
});

it('[DAILY-4] marks what is new since the person looked', async () => {
  const { server, ids } = await show((all) => all[1] ?? '');
  const unread = () =>
    [...document.querySelectorAll('.unread .title')].map((one) => one.textContent);
  await expect.poll(titles).toHaveLength(3);
  await server.agent.open(ids[0] ?? '', {
    kind: 'approval',
    toolName: 'Bash',
    toolCallId: 'c1',
    input: { command: 'ls' },
  });
  await expect.poll(unread).toContain('Move the notes');
  expect(unread()).not.toContain('Deploy');
});
