/** The screen that connects an agent. A bug here leaves a newcomer without a command, or shows a key twice or to nobody. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Transport } from '../../../src/client/transport.ts';
import { CONNECTABLE_AGENTS } from '../../../src/web/model/agent-snippets.ts';
import { addressOf } from '../../../src/web/model/location.ts';
import type { Person } from '../../../src/web/model/person.ts';
import type { KeyRequests } from '../../../src/web/settings/settings-requests.ts';
import { SettingsScreen } from '../../../src/web/settings/settings.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { startInPageServer, type InPageServer } from '../../support/web/in-page-server.ts';
import { mount } from '../../support/web/mount.ts';
import { personWith } from '../../support/web/person.ts';
import { refusal } from '../../support/web/played-targets.ts';

const OLGA = personWith('admin');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const waiting = page.getByText('Waiting for its first request.');

interface PlayedKeys extends KeyRequests {
  readonly made: string[];
  failure: Error | undefined;
}

/** The keys of an in-process server: the id is the credential of a role with the name of the key. */
function playKeys(): PlayedKeys {
  const played: PlayedKeys = {
    made: [],
    failure: undefined,
    async create(name) {
      const { failure } = played;
      played.failure = undefined;
      if (failure !== undefined) throw failure;
      played.made.push(name);
      return { id: credentialOf(name), secret: `hp_secret_of_${played.made.length}` };
    },
  };
  return played;
}

function credentialOf(subject: string, scopes = 'agent'): string {
  return `in-process ${scopes}  ${subject}`;
}

async function ask(transport: Transport, title: string, toolName = 'Bash') {
  const { id } = await transport.createSession({ title });
  await transport.open(id, { kind: 'approval', toolCallId: 'call-1', toolName, input: {} });
  return addressOf({ session: id, interaction: 'call-1~1' });
}

function agentNamed(server: InPageServer, subject: string): Transport {
  return server.host.transport({ subject, scopes: ['agent'] });
}

function show(server: InPageServer, { person = OLGA }: { person?: Person } = {}) {
  const keys = playKeys();
  const { element } = mount(
    <div class="chat alone">
      <div class="stage">
        <SettingsScreen
          location={{ settings: 'connect' }}
          {...{ person, clock: handClock(), transport: server.person }}
          onGo={() => undefined}
          onMenu={() => undefined}
          keys={() => keys}
        />
      </div>
    </div>,
  );
  return { element, keys };
}

beforeEach(() => page.viewport(1280, 800));

describe('[UI-15] an administrator', () => {
  it('makes one key by one press, and sees it once in what to paste', async () => {
    const { element, keys } = show(startInPageServer(['admin']));
    await page.getByLabelText('TypeScript').click();
    expect(element.querySelector('pre')).toBeNull();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    await button('Make a key').click();
    await expect.element(waiting).toBeVisible();
    expect(keys.made).toEqual(['TypeScript']);
    expect(element.innerHTML.split('hp_secret_of_1')).toHaveLength(2);
    await expect
      .element(page.getByRole('group', { name: 'In the terminal of the agent' }))
      .toHaveTextContent(`HOLDPOINT_URL=${location.origin} HOLDPOINT_TOKEN=hp_secret_of_1`);
    expect(page.getByRole('button', { name: 'Make a key' }).query()).toBeNull();
    await button('Copy: deploy.mjs').click();
    await expect.element(page.getByText(/^(Copied|Selected\.)/)).toBeVisible();
    expect(getSelection()?.toString()).toContain('holdpoint.approve(call');
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it('has a key for each agent, and finds it again', async () => {
    const { element, keys } = show(startInPageServer(['admin']));
    await button('Make a key').click();
    await expect.element(waiting).toBeVisible();
    await page.getByLabelText('curl').click();
    expect(element.innerHTML).not.toContain('hp_secret_of_1');
    await button('Make a key').click();
    await expect.poll(() => element.innerHTML).toContain('hp_secret_of_2');
    await page.getByLabelText(CONNECTABLE_AGENTS[0]?.name() ?? '').click();
    await expect.poll(() => element.innerHTML).toContain('hp_secret_of_1');
    expect(keys.made).toEqual([CONNECTABLE_AGENTS[0]?.name(), 'curl']);
  });

  it('reads why no key was made, and presses again', async () => {
    const { element, keys } = show(startInPageServer(['admin']));
    keys.failure = refusal('The workspace is busy');
    await button('Make a key').click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('The workspace is busy');
    expect(element.querySelector('pre')).toBeNull();
    await button('Make a key').click();
    await expect.element(waiting).toBeVisible();
  });

  it('sees the first request of this key, and of no other', async () => {
    const server = startInPageServer(['admin']);
    await ask(agentNamed(server, 'curl'), 'Before');
    const { element } = show(server);
    await page.getByLabelText('TypeScript').click();
    await button('Make a key').click();
    await expect.element(waiting).toBeVisible();
    await ask(agentNamed(server, 'another'), 'Of another key');
    const address = await ask(agentNamed(server, 'TypeScript'), 'Deploy', 'mcp__ops\u202E__deploy');
    const result = page.getByRole('status').filter({ hasText: 'Connected.' });
    await expect
      .element(result)
      .toHaveTextContent('It asks about mcp__ops\\u202E__deploy in the session “Deploy”');
    await expect
      .element(page.getByRole('link', { name: 'Answer it' }))
      .toHaveAttribute('href', address);
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    await page.getByLabelText('Command line').click();
    expect(page.getByText('Connected.').query()).toBeNull();
  });
});

describe('[UI-15] a person who may make no key', () => {
  const ADA: Person = {
    ...personWith('read', 'answer', 'send'),
    credential: credentialOf('ada', 'answer read send'),
  };

  it('reads whom to ask, and makes none', async () => {
    const { element, keys } = show(startInPageServer(), { person: ADA });
    await expect.element(page.getByText('Only administrators make keys')).toBeVisible();
    expect(page.getByRole('button', { name: 'Make a key' }).query()).toBeNull();
    await expect
      .element(page.getByRole('group', { name: 'In a terminal, in a clone of Holdpoint' }))
      .toHaveTextContent('HOLDPOINT_TOKEN=KEY');
    expect(keys.made).toEqual([]);
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it('sees the first request that opens from now on', async () => {
    const server = startInPageServer();
    await ask(server.agent, 'Before');
    show(server, { person: ADA });
    await expect.element(waiting).toBeVisible();
    await ask(agentNamed(server, 'new'), 'Deploy');
    await expect.element(page.getByText('in the session “Deploy”')).toBeVisible();
  });
});

it.each([390, 320])('[UI-10, UI-15] fits %i pixels, with controls for fingers', async (width) => {
  await page.viewport(width, 640);
  const { element } = show(startInPageServer(['admin']));
  await page.getByLabelText('curl').click();
  await button('Make a key').click();
  await expect.element(waiting).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(width);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  for (const one of element.querySelectorAll('button, .settings a, label')) {
    const { height, width: wide } = one.getBoundingClientRect();
    if (wide > 0) expect(height, one.outerHTML).toBeGreaterThanOrEqual(44);
  }
});
