/** Targets in the settings. A bug here hides that a receiver gets nothing, or shows secrets to people without the right. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { useState } from 'preact/hooks';
import type { Location } from '../../../src/web/model/location.ts';
import type { Person } from '../../../src/web/model/person.ts';
import { SettingsScreen } from '../../../src/web/settings/settings.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { mount } from '../../support/web/mount.ts';
import { personWith } from '../../support/web/person.ts';
import {
  delivery,
  NO_INBOX,
  type PlayedTargets,
  playTargets,
  refusal,
  webhook,
} from '../../support/web/played-targets.ts';
import { inLongRun } from '../../support/run-length.ts';

const OLGA = personWith('admin');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const FAILED = { disabledAt: Date.now(), disabledBy: 'failures' };

function show(
  played: PlayedTargets,
  { target, person = OLGA }: { target?: string; person?: Person } = {},
) {
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
            {...{ location, person, clock, transport: NO_INBOX }}
            onGo={go}
            onMenu={() => undefined}
            targets={() => played}
          />
        </div>
      </div>
    );
  };
  return { clock, ...mount(<Page />) };
}

beforeEach(() => page.viewport(1280, 800));

describe('[UI-14] the list of targets', () => {
  it('lists types, addresses, events and states', async () => {
    const played = playTargets([
      webhook({
        filter: { kinds: ['approval'], tools: ['Bash'], sessions: 'prod-' },
        audience: 'Ops',
      }),
      webhook({ id: 'tgt_2', url: 'https://two.example.com/', events: ['interaction.resolved'] }),
      webhook({ id: 'tgt_3', type: 'slack', url: 17, channel: '#deploys', teamNote: { a: 1 } }),
      webhook({ id: 'tgt_5', type: 'push', url: 17, device: 'Phone', subject: 'mia' }),
      webhook({ id: 'tgt_4', disabledAt: 1, disabledBy: 'administrator' }),
    ]);
    const { element } = show(played);
    const rows = page.getByRole('list', { name: 'Targets' }).getByRole('listitem');
    await expect.element(rows.nth(0)).toHaveTextContent('hooks.example.com');
    await expect
      .element(rows.nth(0))
      .toHaveTextContent('Only approvals of Bash in sessions that begin with prod-');
    await expect.element(rows.nth(0)).toHaveTextContent('Answers as Ops');
    await expect.element(rows.nth(1)).toHaveTextContent('Request decided');
    await expect.element(rows.nth(2)).toHaveTextContent('Slack');
    await expect.element(rows.nth(2)).toHaveTextContent('#deploys');
    await expect.element(rows.nth(3)).toHaveTextContent('Phone');
    await expect.element(rows.nth(3)).toHaveTextContent('Device of mia');
    await expect.element(rows.nth(4)).toHaveTextContent('Paused by an administrator.');
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it('says that a target is disabled after three days of failures, and enables it', async () => {
    const played = playTargets([webhook(FAILED)]);
    show(played);
    await expect.element(page.getByText('Disabled after three days of failures.')).toBeVisible();
    await button('Enable hooks.example.com').click();
    await expect.element(page.getByText('Active')).toBeVisible();
    expect(played.bodies).toEqual([{ enabled: true }]);
    expect(page.getByText('three days').query()).toBeNull();
  });

  it('says why another person sees none, and asks the server for nothing', async () => {
    const played = playTargets([webhook()]);
    const { element } = show(played, { person: personWith('read', 'answer', 'send') });
    await expect.element(page.getByText('Only administrators see and change them')).toBeVisible();
    expect(page.getByRole('button', { name: 'Add target' }).query()).toBeNull();
    expect(played.asked).toEqual([]);
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it.each([
    { scopes: ['send'], missing: ['People', 'Targets', 'Rules', 'Audit'] },
    { scopes: ['read', 'answer', 'send'], missing: ['People', 'Targets', 'Audit'] },
    { scopes: ['admin'], missing: [] },
  ])('with $scopes no page is listed that would show nothing', async ({ scopes, missing }) => {
    show(playTargets(), { person: personWith(...scopes) });
    const pages = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await expect.poll(() => pages.elements().length).toBeGreaterThan(0);
    const listed = pages.elements().map(({ textContent }) => textContent);
    const looked = ['People', 'Targets', 'Rules', 'Audit'];
    expect(looked.filter((name) => !listed.includes(name))).toEqual(missing);
  });

  it.each([undefined, 'tgt_1'])(
    'says since when and why every delivery fails, until one arrives (page %s)',
    async (target) => {
      const problem = 'The receiver refused the connection';
      const last = { at: Date.now(), problem, body: '' };
      const failed = delivery(1, { status: 'pending', nextAt: Date.now() + 9e6, last });
      const played = playTargets([webhook()], [failed]);
      played.failingSince = Date.now();
      const { element } = show(played, target === undefined ? {} : { target });
      await expect
        .element(page.getByText(/^Failing since .*refused the connection$/))
        .toBeVisible();
      expect(page.getByText('Active').query()).toBeNull();
      expect(await axeProblems(element, { isPage: true })).toEqual([]);
      if (target === undefined) return;
      played.failingSince = undefined;
      await button('Refresh').click();
      await expect.element(page.getByText('Active')).toBeVisible();
    },
  );

  it('is empty, fails, and is read again', async () => {
    const played = playTargets();
    played.failure = refusal('The workspace is busy');
    const { element } = show(played);
    await expect.element(page.getByRole('alert')).toHaveTextContent('The workspace is busy');
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    await button('Retry').click();
    await expect.element(page.getByRole('heading', { name: 'No targets yet' })).toBeVisible();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });
});

describe('[UI-14] a new target', () => {
  it('is filled in, and its secret and key are shown once', async () => {
    const played = playTargets();
    const { element } = show(played);
    await button('Add target').click();
    const form = page.getByRole('dialog', { name: 'Add target' });
    await form.getByLabelText('Address').fill(' https://hooks.example.com/a ');
    await form.getByLabelText('Every event').click();
    await form.getByLabelText('Reminder').click();
    await form.getByLabelText('Plans').click();
    await form.getByLabelText('Only these tools').fill('Bash, Edit,');
    await form.getByLabelText('Answers as').fill('Policy');
    expect(await axeProblems(element)).toEqual([]);
    await form.getByRole('button', { name: 'Add target' }).click();
    const shown = page.getByRole('dialog', { name: 'Target added' });
    await expect
      .element(shown.getByRole('textbox', { name: 'Signing secret' }))
      .toHaveValue('whsec_first');
    await expect
      .element(shown.getByRole('textbox', { name: 'Answer key' }))
      .toHaveValue('whkey_first');
    expect(await axeProblems(element)).toEqual([]);
    await shown.getByRole('button', { name: 'Copy signing secret' }).click();
    await expect.element(shown.getByText(/^(Copied|Selected\.)/)).toBeVisible();
    await shown.getByRole('button', { name: 'Done' }).click();
    expect(document.body.innerHTML).not.toContain('whsec_first');
    await expect.element(page.getByRole('link', { name: 'hooks.example.com' })).toBeVisible();
    expect(played.bodies).toEqual([
      {
        type: 'webhook',
        url: 'https://hooks.example.com/a',
        events: ['interaction.requested', 'interaction.resolved', 'interaction.reminder'],
        filter: { kinds: ['plan_review'], tools: ['Bash', 'Edit'] },
        audience: 'Policy',
      },
    ]);
  });

  it('reports a wrong address at its field, and keeps what was typed', async () => {
    const played = playTargets();
    const { element } = show(played);
    await button('Add target').click();
    const form = page.getByRole('dialog', { name: 'Add target' });
    const address = form.getByLabelText('Address');
    await form.getByRole('button', { name: 'Add target' }).click();
    await expect.element(address).toHaveAccessibleDescription('Required');
    await expect.element(address).toHaveFocus();
    expect(played.asked).toEqual(['list']);
    await address.fill('https://localhost/');
    await form.getByLabelText('Answers as').fill('Policy');
    played.failure = refusal(['the host "localhost" is not public', 'url']);
    await userEvent.keyboard('{Enter}');
    await expect.element(address).toHaveAccessibleDescription('The host "localhost" is not public');
    await expect.element(address).toHaveFocus();
    await expect.element(form.getByLabelText('Answers as')).toHaveValue('Policy');
    expect(await axeProblems(element)).toEqual([]);
    played.failure = refusal('This workspace has too many targets; delete one first');
    await userEvent.keyboard('{Enter}');
    await expect.element(form.getByRole('alert')).toHaveTextContent('too many targets');
  });
});

describe('[UI-14] one target', () => {
  const SENT = [
    delivery(5, { type: 'interaction.resolved', status: 'pending', attempts: 0, last: null }),
    delivery(4, {
      status: 'dead',
      attempts: 8,
      last: {
        at: Date.now(),
        status: 503,
        problem: 'The receiver responded 503',
        body: 'over\u202Eload',
      },
    }),
    delivery(3, { last: { at: Date.now(), status: 200, body: '{}', answer: 'accepted' } }),
    delivery(2),
    delivery(1),
  ];
  const rows = () => page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');

  it('lists deliveries with status, code, response and answer, page by page', async () => {
    const played = playTargets([webhook()], SENT);
    const { element } = show(played, { target: 'tgt_1' });
    await expect.element(page.getByRole('heading', { name: 'hooks.example.com' })).toBeVisible();
    await expect.poll(() => rows().elements()).toHaveLength(3);
    await expect.element(rows().nth(1)).toHaveTextContent('Failed 503');
    await rows().nth(1).getByText('Request opened').click();
    await expect.element(rows().nth(1)).toHaveTextContent('It is not tried again by itself.');
    await expect.element(rows().nth(1)).toHaveTextContent('over\\u202Eload');
    await rows().nth(2).getByText('Request opened').click();
    await expect
      .element(rows().nth(2).getByText('The response answered the request.'))
      .toBeVisible();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    await button('Show older').click();
    await expect.poll(() => rows().elements()).toHaveLength(5);
    expect(page.getByRole('button', { name: 'Show older' }).query()).toBeNull();
  });

  it('sends one delivery again, and all since a time', async () => {
    const played = playTargets([webhook()], SENT);
    show(played, { target: 'tgt_1' });
    await rows().nth(1).getByText('Request opened').click();
    await rows().nth(1).getByRole('button', { name: 'Send again' }).click();
    await expect.element(rows().nth(1)).toHaveTextContent('Pending');
    expect(played.asked).toContain('redeliver tgt_1 msg_1_4');
    await page.getByLabelText('Send again what was made since').fill('2026-01-02T03:04');
    await button('Send all again').click();
    await expect.element(page.getByText('5 deliveries are sent again.')).toBeVisible();
    expect(played.asked).toContain(
      `redeliverSince tgt_1 ${new Date('2026-01-02T03:04').getTime()}`,
    );
  });

  it('follows a delivery that is about to be sent, and stops when it was', async () => {
    const played = playTargets(
      [webhook()],
      [delivery(1, { status: 'pending', attempts: 0, nextAt: Date.now(), last: null })],
    );
    const { clock } = show(played, { target: 'tgt_1' });
    await expect.element(rows().nth(0)).toHaveTextContent('Pending');
    played.sent[0] = delivery(1);
    // The page listens to the clock a moment after it was drawn.
    const afterStep = () => {
      clock.advance(3_000);
      return rows().nth(0).element().textContent;
    };
    await expect.poll(afterStep).toContain('Delivered 200');
    const askedInMinute = () => {
      const { length } = played.asked;
      clock.advance(60_000);
      return played.asked.length - length;
    };
    await expect.poll(askedInMinute).toBe(0);
  });

  it('shows what became of a test', async () => {
    const played = playTargets([webhook()]);
    const { element } = show(played, { target: 'tgt_1' });
    await button('Send test').click();
    const result = element.querySelector<HTMLElement>('.test-result');
    await expect.element(result).toHaveTextContent('The receiver responded 500');
    await expect.element(result).toHaveTextContent('no such hook');
    await expect.element(rows().nth(0)).toHaveTextContent('Test');
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  inLongRun(() => {
    it('pauses, changes, rotates, and deletes only after a confirmation', async () => {
      const played = playTargets([webhook({ audience: 'Ops' })]);
      show(played, { target: 'tgt_1' });
      await button('Pause').click();
      await expect.element(page.getByText('Paused by an administrator.')).toBeVisible();
      await button('Enable').click();
      await expect.element(button('Pause')).toBeVisible();
      await button('Edit').click();
      const form = page.getByRole('dialog', { name: 'Edit target' });
      await form.getByLabelText('Answers as').fill('');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0);
      expect(played.bodies.at(-1)).toEqual({
        url: 'https://hooks.example.com/holdpoint',
        name: null,
        events: ['*'],
        filter: null,
        audience: null,
      });
      await button('Rotate secret').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
      await expect
        .element(page.getByRole('textbox', { name: 'Signing secret' }))
        .toHaveValue('whsec_second');
      await button('Done').click();
      await button('Delete target').click();
      expect(played.asked.join()).not.toContain('remove');
      await button('Delete permanently').click();
      await expect.element(page.getByRole('heading', { name: 'No targets yet' })).toBeVisible();
      expect(played.asked).toContain('remove tgt_1');
    });
  });

  it('says so when it does not exist', async () => {
    show(playTargets([webhook()]), { target: 'tgt_gone' });
    await expect.element(page.getByText('There is no such target.')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'All targets' })).toBeVisible();
  });

  it('fits 320 pixels, with controls for fingers', async () => {
    await page.viewport(320, 640);
    const long = `https://${'long-name-'.repeat(6)}.example.com/${'path/'.repeat(30)}`;
    const played = playTargets([webhook({ ...FAILED, url: long })], SENT);
    const { element } = show(played, { target: 'tgt_1' });
    await expect.poll(() => rows().elements()).toHaveLength(3);
    expect(document.documentElement.scrollWidth).toBe(320);
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    for (const one of element.querySelectorAll('button, summary, .settings a, input')) {
      const { height, width } = one.getBoundingClientRect();
      if (width > 0) expect(height, one.outerHTML).toBeGreaterThanOrEqual(44);
    }
  });
});
