/** The form of a target of each type. A bug here loses a credential, shows it, or sends a setting of another type. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { readFragment } from '../../../src/web/model/location.ts';
import { SettingsScreen } from '../../../src/web/settings/settings.tsx';
import { Sidebar } from '../../../src/web/app/sidebar.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { mount } from '../../support/web/mount.ts';
import { memoryStore } from '../../support/web/memory-store.ts';
import { personWith } from '../../support/web/person.ts';
import { NO_INBOX, playTargets, refusal, webhook } from '../../support/web/played-targets.ts';
import { inLongRun } from '../../support/run-length.ts';
import { button, dialog, show, openForm } from './target-form.tsx';

const TOKEN = 'xoxb-1234567890-abc';

const SECRET = '0123456789abcdef';

beforeEach(() => page.viewport(1280, 800));

describe('[UI-14] a new target of Slack', () => {
  it('is filled in with hidden secrets, and gives the address for its buttons', async () => {
    const played = playTargets();
    const { element } = show(played);
    const form = await openForm('Slack');
    expect(form.getByLabelText('Address', { exact: true }).query()).toBeNull();
    const token = form.getByLabelText('Bot token');
    await token.fill(TOKEN);
    await expect.element(token).toHaveAttribute('type', 'password');
    const secret = form.getByLabelText('Signing secret');
    await secret.fill(SECRET);
    await expect.element(secret).toHaveAttribute('type', 'password');
    await form.getByLabelText('Channel', { exact: true }).fill(' C0123456789 ');
    await form.getByLabelText('Name').fill('ops-channel');
    await form.getByLabelText('Approvals').click();
    await form.getByLabelText('Answers as').fill('Ops');
    expect(await axeProblems(element)).toEqual([]);
    await form.getByRole('button', { name: 'Add target' }).click();
    const added = dialog('Target added');
    await expect
      .element(added.getByRole('textbox', { name: 'Request URL' }))
      .toHaveValue(`${location.origin}/v1/inbound/slack/tgt_1`);
    expect(added.getByText('shown only once').query()).toBeNull();
    expect(await axeProblems(element)).toEqual([]);
    await added.getByRole('button', { name: 'Done' }).click();
    expect(document.body.innerHTML).not.toContain(TOKEN);
    expect(document.body.innerHTML).not.toContain(SECRET);
    expect(played.bodies).toEqual([
      {
        type: 'slack',
        botToken: TOKEN,
        signingSecret: SECRET,
        channel: 'C0123456789',
        name: 'ops-channel',
        events: ['*'],
        filter: { kinds: ['approval'] },
        audience: 'Ops',
      },
    ]);
    await expect.element(page.getByRole('link', { name: 'ops-channel' })).toBeVisible();
  });

  inLongRun(() => {
    it('shows each sentence of the server at its field', async () => {
      const played = playTargets();
      show(played);
      const form = await openForm('Slack');
      await form.getByRole('button', { name: 'Add target' }).click();
      const token = form.getByLabelText('Bot token');
      await expect.element(token).toHaveAccessibleDescription('Required');
      await expect.element(token).toHaveFocus();
      expect(played.bodies).toEqual([]);
      await token.fill('xoxp');
      await form.getByLabelText('Signing secret').fill(SECRET);
      const channel = form.getByLabelText('Channel', { exact: true });
      await channel.fill('#ops');
      await form.getByLabelText('Name').fill('Ops');
      played.failure = refusal(
        ['Give the id of the channel', 'channel'],
        ['Use 1 to 64 of a-z', 'name'],
        ['a bot token begins with xoxb-', 'botToken'],
      );
      await userEvent.keyboard('{Enter}');
      await expect.element(token).toHaveAccessibleDescription('A bot token begins with xoxb-');
      await expect.element(token).toHaveFocus();
      await expect.element(channel).toHaveAccessibleDescription('Give the id of the channel');
      await expect
        .element(form.getByLabelText('Name'))
        .toHaveAccessibleDescription('Use 1 to 64 of a-z');
      await form.getByRole('radio', { name: 'Mail' }).click();
      await expect.element(form.getByLabelText('Name')).toHaveAccessibleDescription(/^Lower case/);
    });
  });

  it('keeps its secrets in a change that leaves them empty', async () => {
    const filter = { kinds: ['approval'], labels: { env: 'production' } };
    const played = playTargets([
      webhook({ type: 'slack', url: null, channel: 'C0123456789', name: 'ops', filter }),
    ]);
    show(played, 'tgt_1');
    await expect.element(page.getByText('/v1/inbound/slack/tgt_1')).toBeVisible();
    expect(page.getByRole('button', { name: 'Rotate secret' }).query()).toBeNull();
    await button('Edit').click();
    const form = dialog('Edit target');
    expect(form.getByRole('radio').query()).toBeNull();
    await expect.element(form.getByLabelText('Bot token')).toHaveValue('');
    await form.getByLabelText('Channel', { exact: true }).fill('C9876543210');
    await form.getByLabelText('Name').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByRole('heading', { name: 'C9876543210' })).toBeVisible();
    expect(played.bodies).toEqual([
      { channel: 'C9876543210', name: null, events: ['*'], filter, audience: null },
    ]);
  });
});

inLongRun(() => {
  describe('[UI-14] the people of a target of Slack', () => {
    it('are written a line each, with the sentence about a wrong line at the field', async () => {
      const played = playTargets();
      const { element } = show(played);
      const form = await openForm('Slack');
      await form.getByLabelText('Bot token').fill(TOKEN);
      await form.getByLabelText('Signing secret').fill(SECRET);
      await form.getByLabelText('Channel', { exact: true }).fill('C0123456789');
      await form.getByLabelText('Address of the API of Slack').fill('http://127.0.0.1:9/api');
      const people = form.getByLabelText('People');
      await people.fill('U0123456789 = mia\nbo');
      await form.getByRole('button', { name: 'Add target' }).click();
      await expect
        .element(people)
        .toHaveAccessibleDescription('Line 2: write a name, = and a value');
      await expect.element(people).toHaveFocus();
      expect(await axeProblems(element)).toEqual([]);
      await people.fill('U0123456789 = mia\nU0123456789 = bo');
      await form.getByRole('button', { name: 'Add target' }).click();
      await expect.element(people).toHaveAccessibleDescription('Line 2: U0123456789 stands twice');
      await people.fill('U0123456789 = Mia Berg\n\n T1/U2 = a=b ');
      const labels = form.getByLabelText('Only sessions with these labels');
      await labels.fill('env =');
      await form.getByRole('button', { name: 'Add target' }).click();
      await expect
        .element(labels)
        .toHaveAccessibleDescription('Line 1: write a name, = and a value');
      await labels.fill('env = production');
      played.failure = refusal(
        ['give the id of a user', 'people.T1/U2'],
        ['a-z', 'filter.labels.env'],
      );
      await form.getByRole('button', { name: 'Add target' }).click();
      await expect.element(people).toHaveAccessibleDescription('Give the id of a user');
      await expect.element(labels).toHaveAccessibleDescription('A-z');
      await form.getByRole('button', { name: 'Add target' }).click();
      await dialog('Target added').getByRole('button', { name: 'Done' }).click();
      expect(played.bodies.at(-1)).toMatchObject({
        people: { U0123456789: 'Mia Berg', 'T1/U2': 'a=b' },
        apiUrl: 'http://127.0.0.1:9/api',
        filter: { labels: { env: 'production' } },
      });
      await expect.element(page.getByText('Only with env = production')).toBeVisible();
    });
  });

  inLongRun(() => {
    it.each([
      { changed: {}, sent: {} },
      { changed: { People: '' }, sent: { people: null } },
      {
        changed: { People: 'U1 = ada', 'Address of the API of Slack': '' },
        sent: { people: { U1: 'ada' }, apiUrl: null },
      },
      { changed: { 'Only sessions with these labels': '' }, sent: { filter: null } },
    ])('are sent only when they changed: $changed', async ({ changed, sent }) => {
      // A line cannot hold the blank at the end of this value: untouched, it stays.
      const filter = { labels: { env: 'production ' } };
      const people = { U0123456789: 'mia' };
      const apiUrl = 'http://127.0.0.1:9/api';
      const channel = 'C0123456789';
      const played = playTargets([
        webhook({ type: 'slack', url: null, channel, people, apiUrl, filter }),
      ]);
      show(played, 'tgt_1');
      await button('Edit').click();
      const form = dialog('Edit target');
      for (const [label, text] of Object.entries(changed)) {
        await form.getByLabelText(label).fill(text);
      }
      await form.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => played.bodies).toHaveLength(1);
      const rest = { channel, name: null, events: ['*'], audience: null };
      expect(played.bodies).toEqual([{ ...rest, filter, ...sent }]);
    });
  });
});

it.each([
  { scopes: ['admin'], section: 'Targets' },
  { scopes: ['read', 'answer', 'send'], section: 'Devices and tokens' },
])('[UI-14] the settings link opens $section for $scopes', async ({ scopes, section }) => {
  const sessions = {
    list: { entries: [], isLoaded: true, next: undefined },
    waiting: 0,
    failure: undefined,
    filter: { words: '', archived: false },
  };
  const clock = handClock();
  mount(
    <Sidebar
      sessions={{ ...sessions, more: () => undefined } as never}
      current={undefined}
      isSettings={false}
      {...{ clock }}
      store={memoryStore()}
      person={personWith(...scopes)}
      transport={NO_INBOX as never}
      onDeleted={() => undefined}
      onSignOut={() => undefined}
    />,
  );
  const href = page.getByRole('link', { name: 'Settings' }).element().getAttribute('href') ?? '';
  const { location } = readFragment(href.slice(1));
  mount(
    <SettingsScreen
      {...{ location, clock, person: personWith(...scopes), transport: NO_INBOX }}
      onGo={() => undefined}
      onMenu={() => undefined}
      targets={() => playTargets()}
    />,
  );
  await expect
    .element(
      page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }),
    )
    .toHaveAttribute('aria-current', 'page');
});

inLongRun(() => {
  it('[UI-14] the form of each type fits 320 pixels, with controls for fingers', async () => {
    await page.viewport(320, 640);
    const { element } = show(playTargets());
    await button('Add target').click();
    for (const type of ['Webhook', 'Slack', 'Mail']) {
      await dialog('Add target').getByRole('radio', { name: type }).click();
      const sheet = element.querySelector('dialog');
      expect(sheet?.scrollWidth).toBeLessThanOrEqual(320);
      for (const one of element.querySelectorAll(
        'dialog button, dialog label:has(input), .text-field :is(input, textarea)',
      )) {
        expect(one.getBoundingClientRect().height, one.outerHTML).toBeGreaterThanOrEqual(44);
      }
    }
  });
});
