/** The form of a target of each type. A bug here loses a credential, shows it, or sends a setting of another type. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { useState } from 'preact/hooks';
import { type Location, readFragment } from '../../../src/web/model/location.ts';
import { SettingsScreen } from '../../../src/web/settings/settings.tsx';
import { Sidebar } from '../../../src/web/app/sidebar.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { mount } from '../../support/web/mount.ts';
import { memoryStore } from '../../support/web/memory-store.ts';
import { personWith } from '../../support/web/person.ts';
import {
  NO_INBOX,
  type PlayedTargets,
  playTargets,
  refusal,
  webhook,
} from '../../support/web/played-targets.ts';
import { inLongRun } from '../../support/run-length.ts';

const OLGA = personWith('admin');
const TOKEN = 'xoxb-1234567890-abc';
const SECRET = '0123456789abcdef';
const MAIL = {
  type: 'mail',
  url: null,
  to: ['mia@example.com', 'bo@example.com'],
  from: 'holdpoint@example.org',
  provider: { url: 'https://api.mail.example/emails', header: 'X-Key' },
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });

function show(played: PlayedTargets, target?: string) {
  const clock = handClock();
  const Page = () => {
    const [location, go] = useState<Location>({
      settings: 'targets',
      ...(target !== undefined && { target }),
    });
    return (
      <div class="chat alone">
        <div class="stage">
          <SettingsScreen
            {...{ location, clock, transport: NO_INBOX }}
            person={OLGA}
            onGo={go}
            onMenu={() => undefined}
            targets={() => played}
          />
        </div>
      </div>
    );
  };
  return mount(<Page />);
}

async function openForm(type: string) {
  await button('Add target').click();
  const form = dialog('Add target');
  await form.getByRole('radio', { name: type }).click();
  return form;
}

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

describe('[UI-14] a new target of mail', () => {
  inLongRun(() => {
    it('has several addresses, a provider and its credential', async () => {
      const played = playTargets();
      const { element } = show(played);
      const form = await openForm('Mail');
      await form.getByLabelText('To', { exact: true }).fill('mia@example.com, bo@example.com,');
      await form.getByLabelText('From').fill('holdpoint@example.org');
      await form.getByLabelText('Authorization of the mail provider').fill('Bearer key-of-mail');
      await form.getByRole('button', { name: 'Add target' }).click();
      const provider = form.getByLabelText('Address of the mail provider');
      await expect.element(provider).toHaveAccessibleDescription('Required');
      await provider.fill('https://api.mail.example/emails');
      await form.getByLabelText('Mail again when a request has ended').click();
      played.failure = refusal(['use a plain address such as ops@example.com', 'to.1']);
      await form.getByRole('button', { name: 'Add target' }).click();
      await expect
        .element(form.getByLabelText('To', { exact: true }))
        .toHaveAccessibleDescription('Use a plain address such as ops@example.com');
      expect(await axeProblems(element)).toEqual([]);
      await form.getByRole('button', { name: 'Add target' }).click();
      const added = dialog('Target added');
      await expect.element(added.getByText('It is sent what happens from now on.')).toBeVisible();
      expect(added.getByRole('textbox').query()).toBeNull();
      await added.getByRole('button', { name: 'Done' }).click();
      expect(document.body.innerHTML).not.toContain('key-of-mail');
      await expect
        .element(page.getByRole('link', { name: 'mia@example.com, bo@example.com' }))
        .toBeVisible();
      expect(played.bodies.at(-1)).toEqual({
        type: 'mail',
        to: ['mia@example.com', 'bo@example.com'],
        from: 'holdpoint@example.org',
        retire: true,
        provider: { url: 'https://api.mail.example/emails', authorization: 'Bearer key-of-mail' },
        events: ['*'],
      });
    });
  });

  it.each([
    { changed: {}, sent: undefined },
    {
      changed: { Authorization: 'Bearer two' },
      sent: { ...MAIL.provider, authorization: 'Bearer two' },
    },
    { changed: { Address: '' }, sent: null },
    { changed: { Address: '', Header: '' }, sent: null },
    {
      changed: { Header: 'X-Other', Authorization: 'three' },
      sent: { ...MAIL.provider, header: 'X-Other', authorization: 'three' },
    },
  ])('sends a provider only when it changed: $changed', async ({ changed, sent }) => {
    const played = playTargets([webhook(MAIL)]);
    show(played, 'tgt_1');
    await button('Edit').click();
    const form = dialog('Edit target');
    for (const [label, text] of Object.entries(changed)) {
      const name =
        label === 'Header' ? 'Header of the authorization' : `${label} of the mail provider`;
      await form.getByLabelText(name).fill(text);
    }
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => played.bodies).toHaveLength(1);
    const { to, from, provider } = played.bodies[0] ?? {};
    expect({ to, from, provider }).toEqual({ to: MAIL.to, from: MAIL.from, provider: sent });
  });

  inLongRun(() => {
    it('asks for the credential again when its header changes', async () => {
      const played = playTargets([webhook(MAIL)]);
      show(played, 'tgt_1');
      await button('Edit').click();
      const form = dialog('Edit target');
      await form.getByLabelText('Header of the authorization').fill('');
      await form.getByRole('button', { name: 'Save' }).click();
      const authorization = form.getByLabelText('Authorization of the mail provider');
      await expect
        .element(authorization)
        .toHaveAccessibleDescription('Write it again for the other header');
      expect(played.bodies).toEqual([]);
    });
  });

  inLongRun(() => {
    it('has the JSON of its provider as text, and sends it only when it changed', async () => {
      const template = { recipients: '{toList}', options: { track: false } };
      const played = playTargets([webhook({ ...MAIL, template })]);
      const { element } = show(played, 'tgt_1');
      await button('Edit').click();
      const form = dialog('Edit target');
      const field = form.getByLabelText('JSON for the mail provider');
      await expect.element(field).toHaveValue(JSON.stringify(template, null, 2));
      await field.fill('[1]');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect.element(field).toHaveAccessibleDescription(/^Write a JSON object/);
      expect(await axeProblems(element)).toEqual([]);
      await field.fill('{"body": "{text}"}');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => played.bodies).toHaveLength(1);
      expect(played.bodies[0]?.['template']).toEqual({ body: '{text}' });
      await button('Edit').click();
      await form.getByLabelText('From').fill('other@example.org');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => played.bodies).toHaveLength(2);
      expect(played.bodies[1]).not.toHaveProperty('template');
      await button('Edit').click();
      await form.getByLabelText('JSON for the mail provider').fill('');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => played.bodies).toHaveLength(3);
      expect(played.bodies[2]).toMatchObject({ template: null });
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
