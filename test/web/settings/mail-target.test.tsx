/** The form of a target of mail. A bug here loses a credential, shows it, or sends a setting of another type. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { playTargets, refusal, webhook } from '../../support/web/played-targets.ts';
import { inLongRun } from '../../support/run-length.ts';
import { button, dialog, show, openForm } from './target-form.tsx';

const MAIL = {
  type: 'mail',
  url: null,
  to: ['mia@example.com', 'bo@example.com'],
  from: 'holdpoint@example.org',
  provider: { url: 'https://api.mail.example/emails', header: 'X-Key' },
};

beforeEach(() => page.viewport(1280, 800));

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
