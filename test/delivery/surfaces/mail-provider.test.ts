/** The way of a mail to its provider. A bug here looks like a mail that is sent twice, or a credential of the provider in a list. */
import { describe, expect, it } from 'vitest';
import { mailSettings } from '../../../src/delivery/surfaces/mail/mail-settings.ts';
import { mailSurface } from '../../../src/delivery/surfaces/mail/mail-surface.ts';
import { boundMailSender } from '../../../src/platform/cloudflare/bound-mail.ts';
import { CreateTarget } from '../../../src/protocol/schema/target.ts';
import { OK } from '../../support/target-world.ts';
import { PROVIDER, target, delivery, deliver } from './mailing.ts';

describe('the way of a mail', () => {
  it('[MAIL-1] is the binding of the deployment where the target has no provider', async () => {
    const { provider: _provider, ...settings } = target().settings;
    const { bound, sent } = await deliver(delivery(), { ...target(), settings });
    expect(sent).toEqual([]);
    expect(bound).toMatchObject([
      { to: ['mia@example.com', 'bo@example.com'], subject: 'Approval: Bash' },
    ]);
    const result = await mailSurface.deliver({ ...target(), settings }, delivery(), {
      send: async () => OK,
      sendPush: async () => OK,
      encryptPush: async () => undefined,
      isRetired: () => false,
      sendBoundMail: undefined,
      now: () => 0,
      isoTime: (at) => new Date(at).toISOString(),
      remember: () => undefined,
    });
    expect(result.reply.problem).toContain('no mail binding');
    expect(result.shown).toBeUndefined();
  });

  it('[MAIL-1] takes a refusal of the binding as a failure', async () => {
    const { bound } = await deliver(delivery(), {
      ...target(),
      settings: { type: 'mail', to: ['a@example.com'], from: 'b@example.com' },
    });
    const taken: object[] = [];
    const well = boundMailSender({ send: async (mail) => taken.push(mail) });
    const [mail] = bound;
    if (mail === undefined) throw new Error('No mail');
    expect((await well(mail)).problem).toBeUndefined();
    expect(taken).toMatchObject([{ from: 'b@example.com', to: ['a@example.com'] }]);
    const ill = boundMailSender({ send: () => Promise.reject(new Error('not verified')) });
    expect((await ill(mail)).problem).toContain('not verified');
  });

  it('[MAIL-1] keeps a mail that the provider refused unshown, so that it is tried again', async () => {
    const down = { status: 500, text: '', retryAfter: null, problem: 'The receiver responded 500' };
    const { result } = await deliver(delivery(), target(), down);
    expect(result).toEqual({ reply: down });
  });

  it('[MAIL-1] lists no credential of the provider', () => {
    const view = mailSettings.view(target().settings);
    expect(JSON.stringify(view)).not.toContain('secret-of-mail');
    expect(view.provider).toEqual({ url: PROVIDER.url });
    const bad = { ...target().settings, provider: { url: 'https://10.0.0.1/' } };
    expect(mailSettings.problem(bad, { allowPrivate: false })).toMatchObject({
      path: 'provider.url',
    });
    expect(mailSettings.problem(target().settings, { allowPrivate: false })).toBeUndefined();
  });

  it.each([
    { to: ['a@example.com\r\nBcc: evil@example.com'] },
    { to: ['a@example.com, b@example.com'] },
    { to: ['Mia <a@example.com>'] },
    { to: ['a@localhost'] },
    { to: ['"a b"@example.com'] },
    { to: [`${'a'.repeat(250)}@example.com`] },
    { to: [] },
    { to: 'a@example.com' },
    { from: 'a@exam\u0000ple.com' },
    { from: 'ä@example.com' },
    { provider: { url: 'https://mail.example.com/', authorization: 'a\r\nX: b' } },
    { provider: { url: 'https://mail.example.com/', authorization: 'a', header: 'X: b' } },
    { provider: { url: 'https://mail.example.com/', authorization: 'a', header: 'Host' } },
  ])('[MAIL-1] refuses the setting %j', (wrong) => {
    const right = {
      type: 'mail',
      to: ['a@example.com'],
      from: 'b@example.com',
      provider: PROVIDER,
    };
    expect(CreateTarget.safeParse(right).success).toBe(true);
    expect(CreateTarget.safeParse({ ...right, ...wrong }).success).toBe(false);
  });
});
