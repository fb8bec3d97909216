/** The switch of workspaces. A bug here strands an administrator elsewhere, or offers what the credential cannot do. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { ClientError } from '../../src/client/errors.ts';
import { COOKIE } from '../../src/protocol/credential-headers.ts';
import { startServerClock } from '../../src/web/clock.ts';
import type { KeyValueStore } from '../../src/web/model/key-value-store.ts';
import type { Person } from '../../src/web/model/person.ts';
import type { AdminRequests, NewKey } from '../../src/web/settings/admin/admin-requests.ts';
import { WorkspaceSwitch } from '../../src/web/workspaces/workspace-switch.tsx';
import { axeProblems } from '../support/web/axe.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { personWith } from '../support/web/person.ts';

const NOW = Date.now();
const MAIN = { name: 'main', title: 'Main', createdAt: null };
const DOCS = { name: 'docs', title: 'Docs\u202E team', createdAt: null };
const HOUR = 3_600_000;

type Listed = Awaited<ReturnType<AdminRequests['workspaces']>>;

function show(
  listed: Partial<Listed> | Error,
  person: Person = personWith('admin'),
  store: KeyValueStore = memoryStore(),
) {
  const left: string[] = [];
  const made: [string, NewKey][] = [];
  let asked = 0;
  let failure: Error | undefined;
  const requests = () => ({
    async workspaces(): Promise<Listed> {
      asked += 1;
      if (listed instanceof Error) throw listed;
      return { workspaces: [MAIN], current: 'main', mayCreate: true, ...listed };
    },
    async createWorkspaceKey(name: string, key: NewKey) {
      if (failure !== undefined) throw failure;
      made.push([name, key]);
      return 'hp_docs';
    },
  });
  const clock = startServerClock();
  const { element } = mount(
    <nav class="sidebar">
      <WorkspaceSwitch
        {...{ person, store, clock }}
        requests={requests}
        onLeave={(address) => left.push(address)}
      />
    </nav>,
  );
  return {
    element,
    left,
    made,
    store,
    asked: () => asked,
    fails: (cause: Error) => {
      failure = cause;
    },
  };
}

const theSwitch = () => page.getByRole('button', { name: /^Workspace/ });
const settled = () => new Promise((done) => setTimeout(done, 50));

it('[TEAM-8] names the open workspace and enters another with a key of eight hours', async () => {
  const { element, left, made, store } = show({ workspaces: [MAIN, DOCS] });
  await expect.element(theSwitch()).toHaveTextContent('Main');
  expect(await axeProblems(element)).toEqual([]);
  await theSwitch().click();
  expect(await axeProblems(document.querySelector('dialog') ?? element)).toEqual([]);
  await page.getByRole('button', { name: String.raw`Open Docs\u202E team` }).click();
  await expect.poll(() => left).toEqual(['/#token=hp_docs']);
  expect(made).toEqual([
    ['docs', { name: 'ada', scopes: ['admin'], expiresAt: expect.any(Number) as number }],
  ]);
  const { expiresAt = 0 } = made[0]?.[1] ?? {};
  expect(Math.abs(expiresAt - NOW - 8 * HOUR)).toBeLessThan(HOUR);
  expect(store.get('holdpoint.home')).toContain('hp_x.y');
});

it('[TEAM-8] leads back from there, with the token of before', async () => {
  const home = JSON.stringify({ title: 'Main', token: 'hp_home', entered: 'hp_x.y' });
  const { left } = show(
    { workspaces: [DOCS], current: 'docs', mayCreate: false },
    personWith('admin'),
    memoryStore({ 'holdpoint.home': home }),
  );
  await theSwitch().click();
  expect(page.getByRole('button', { name: /^Open/ }).query()).toBeNull();
  await page.getByRole('button', { name: 'Back to Main' }).click();
  expect(left).toEqual(['/#token=hp_home']);
});

it('[TEAM-8] leads back to a cookie by keeping no token', async () => {
  const store = memoryStore({
    'holdpoint.token': 'hp_docs',
    'holdpoint.home': JSON.stringify({ title: 'Main', token: COOKIE, entered: 'hp_x.y' }),
  });
  const { left } = show({ workspaces: [DOCS], current: 'docs' }, personWith('admin'), store);
  await theSwitch().click();
  await page.getByRole('button', { name: 'Back to Main' }).click();
  expect(left).toEqual(['/']);
  expect(store.get('holdpoint.token')).toBeUndefined();
  expect(store.get('holdpoint.home')).toBeUndefined();
});

it('[TEAM-8] is not there for one workspace, where it cannot be listed, or for other people', async () => {
  const alone = show({});
  const refused = show(
    new ClientError({ code: 'not_found', message: 'No', status: 404, retry: 'never' }),
  );
  await settled();
  const reader = show({ workspaces: [MAIN, DOCS] }, personWith('read', 'answer', 'send'));
  const ofOne = show({ workspaces: [MAIN, DOCS] }, { ...personWith('admin'), session: 'ses_1' });
  await settled();
  expect(theSwitch().query()).toBeNull();
  expect([alone, refused, reader, ofOne].map(({ asked }) => asked())).toEqual([1, 1, 0, 0]);
});

it('[TEAM-8] says why a workspace could not be entered, and stays', async () => {
  const shown = show({ workspaces: [MAIN, DOCS] });
  shown.fails(new ClientError({ code: 'forbidden', message: 'No', status: 403, retry: 'never' }));
  await theSwitch().click();
  await page.getByRole('button', { name: /^Open Docs/ }).click();
  await expect.element(page.getByText(/^You may not do this/)).toBeVisible();
  expect(shown.left).toEqual([]);
  expect(shown.store.get('holdpoint.home')).toBeUndefined();
});
