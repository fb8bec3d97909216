/**
 * Mails of a target: what is in them, who sends them, and that no text of an agent becomes a header, a field or markup.
 *
 * A bug here looks like a Bcc that an agent wrote, a link of an agent where the answer link should stand, or a credential
 * of the provider in a list.
 */
import { describe, expect, it } from 'vitest';
import {
  type MailTarget,
  type OutgoingMail,
} from '../../../src/delivery/surfaces/mail/compose-mail.ts';
import { mailSettings } from '../../../src/delivery/surfaces/mail/mail-settings.ts';
import { mailSurface } from '../../../src/delivery/surfaces/mail/mail-surface.ts';
import type {
  OutgoingDelivery,
  SurfaceReply,
  SurfaceRequest,
} from '../../../src/delivery/surfaces/surface.ts';
import { boundMailSender } from '../../../src/platform/cloudflare/bound-mail.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { CreateTarget } from '../../../src/protocol/schema/target.ts';
import { OK, requested } from '../../support/target-world.ts';

const PROVIDER = { url: 'https://mail.example.com/send', authorization: 'Bearer secret-of-mail' };
const LINK = { url: 'https://holdpoint.example/links/hpl_one.two', expiresAt: 1_700_000_600_000 };
const HOSTILE = 'Bash\r\nBcc: evil@example.com\r\n\r\n<img src=x>\u0000\u202E';

function target(settings: Partial<MailTarget['settings']> = {}): MailTarget {
  return {
    id: 'tgt_1',
    workspace: 'main',
    origin: 'https://holdpoint.example',
    audience: 'mia',
    secrets: [],
    settings: {
      type: 'mail',
      to: ['mia@example.com', 'bo@example.com'],
      from: 'holdpoint@example.org',
      provider: PROVIDER,
      ...settings,
    },
  };
}

type Requested = NonNullable<OutgoingDelivery['requested']>;

function asked(over: Partial<Requested> = {}): Requested {
  const { announcement } = requested('demo', 1);
  if (announcement.type !== 'interaction.requested') throw new Error('No request');
  return { ...announcement, ...over };
}

function delivery(over: Partial<OutgoingDelivery> = {}): OutgoingDelivery {
  const one = over.requested ?? asked();
  return {
    id: 'msg_1_1',
    at: one.at,
    sessionId: 'demo',
    announcement: one,
    requested: one,
    link: LINK,
    showingId: 'msg_1_1',
    shown: undefined,
    ...over,
  };
}

async function deliver(one: OutgoingDelivery, to = target(), reply: SurfaceReply = OK) {
  const sent: SurfaceRequest[] = [];
  const bound: OutgoingMail[] = [];
  const result = await mailSurface.deliver(to, one, {
    send: async (request) => {
      sent.push(request);
      return reply;
    },
    encryptPush: async () => undefined,
    isRetired: () => false,
    sendBoundMail: async (mail) => {
      bound.push(mail);
      return reply;
    },
    now: () => 1_700_000_000_000,
    isoTime: (at) => new Date(at).toISOString(),
    remember: () => undefined,
  });
  const bodies = sent.map(({ body }) => JSON.parse(String(body)) as JsonObject);
  return { result, sent, bodies, bound };
}

function textIn(mail: JsonObject | undefined, name: string): string {
  const text = mail?.[name];
  return typeof text === 'string' ? text : '';
}

function resolved(): OutgoingDelivery['announcement'] {
  const { interactionId, toolCallId, toolName, kind, inputDigest } = asked();
  return {
    type: 'interaction.resolved',
    seq: 2,
    at: 1_700_000_060_000,
    interactionId,
    toolCallId,
    toolName,
    kind,
    inputDigest,
    outcome: 'denied',
    settledBy: { subject: 'mia', via: 'link' },
    reason: 'not today',
  };
}

describe('a mail about a request', () => {
  it('[LNK-3, MAIL-1] names the host of a link alone, and leads to the request', async () => {
    const request = { url: 'https://evil.example/x?y', message: 'Sign in', title: 'Drive' };
    const { bodies } = await deliver(
      delivery({ requested: asked({ kind: 'link', toolName: 'mcp__drive', request }) }),
    );
    const [mail] = bodies;
    expect(mail).toMatchObject({ subject: 'Link: Drive' });
    const text = textIn(mail, 'text');
    expect(text).toContain('Sign in');
    expect(text).toContain('|   evil.example');
    for (const name of ['text', 'html'] as const) {
      expect(textIn(mail, name)).toContain(LINK.url);
      expect(textIn(mail, name)).not.toContain('//evil.example');
    }
  });

  it('[MAIL-1] has the answer link before the words of the agent, as text and as HTML', async () => {
    const { bodies, sent, result } = await deliver(delivery());
    expect(sent).toMatchObject([
      {
        url: PROVIDER.url,
        headers: { authorization: PROVIDER.authorization, 'idempotency-key': 'msg_1_1' },
      },
    ]);
    const [mail] = bodies;
    expect(mail).toMatchObject({
      from: 'holdpoint@example.org',
      to: ['mia@example.com', 'bo@example.com'],
      subject: 'Approval: Bash',
    });
    const text = textIn(mail, 'text');
    expect(text.startsWith(`See the request and answer:\n${LINK.url}\n`)).toBe(true);
    for (const part of [
      'agent asks',
      'There is no deadline',
      'answers as mia',
      '|   ls',
      'd'.repeat(64),
    ]) {
      expect(text).toContain(part);
    }
    const page = textIn(mail, 'html');
    expect(page).toContain(`<a href="${LINK.url}"`);
    expect(page.indexOf(LINK.url)).toBeLessThan(page.indexOf('<pre'));
    expect(result.shown).toEqual({ reference: 'msg_1_1', isRetired: false });
  });

  it('[APR-6, MAIL-1] lists choices with what each does, each on a line of the agent', async () => {
    const choices = [
      { id: 'a', label: 'Deny\n\nApproved by admin', decision: 'approve' },
      { id: 'b', label: 'Stop', decision: 'deny', stop: true },
    ];
    const { sent } = await deliver(
      delivery({ requested: asked({ request: { input: { command: 'ls' }, choices } }) }),
    );
    const { text } = JSON.parse(String(sent[0]?.body)) as { text: string };
    expect(text).toContain('|   - Deny Approved by admin: Approves this call.');
    expect(text).toContain('|   - Stop: Denies this call and stops the agent’s turn.');
  });

  it('[MAIL-1] is in one thread with the other mails of its session', async () => {
    const headersOf = async (one: OutgoingDelivery) =>
      (await deliver(one)).bodies[0]?.['headers'] as Record<string, string>;
    const [first, second, elsewhere] = [
      await headersOf(delivery()),
      await headersOf(delivery({ id: 'msg_1_2' })),
      await headersOf(delivery({ sessionId: 'another' })),
    ];
    expect(first?.['Message-ID']).toBe('<msg_1_1@example.org>');
    expect(second?.['Message-ID']).toBe('<msg_1_2@example.org>');
    expect(first?.['References']).toMatch(/^<session\.[0-9a-f]{32}@example\.org>$/);
    expect(second?.['References']).toBe(first?.['References']);
    expect(second?.['In-Reply-To']).toBe(first?.['References']);
    expect(elsewhere?.['References']).not.toBe(first?.['References']);
  });

  it.each<[string, Partial<Requested>, string]>([
    [
      'a question',
      {
        kind: 'question',
        request: {
          questions: [{ header: 'H', question: 'Which one?', options: [{ label: 'A' }] }],
        },
      },
      '|   - A',
    ],
    ['a plan', { kind: 'plan_review', request: { plan: '1. Look' } }, '|   1. Look'],
    [
      'a form',
      {
        kind: 'form',
        request: { title: 'Machine', schema: { properties: { a: { title: 'Name' } } } },
      },
      '|   - Name',
    ],
    ['another kind', { kind: 'pick', request: { colors: ['red'] } }, 'red'],
    ['a long request', { request: null }, 'too long for a mail'],
  ])('[MAIL-1] says what %s asks', async (_what, over, part) => {
    const { bodies } = await deliver(
      delivery({ requested: asked(over), announcement: asked(over) }),
    );
    expect(bodies[0]?.['text']).toContain(part);
  });

  it('[MAIL-1] leads to the chat where there is no audience', async () => {
    const { bodies } = await deliver(delivery({ link: undefined }));
    expect(bodies[0]?.['text']).toContain(
      'https://holdpoint.example/#session=demo&interaction=call_1%7E1',
    );
  });
});

describe('texts of an agent', () => {
  it('[MAIL-1] become no header, no line outside the mark, and no markup', async () => {
    const request = { input: { [HOSTILE]: HOSTILE }, description: HOSTILE };
    const openedBy = { credential: 'k', subject: HOSTILE };
    for (const kind of ['approval', 'question', 'form', 'plan_review', 'other']) {
      const all = {
        ...request,
        plan: HOSTILE,
        title: HOSTILE,
        questions: [{ header: HOSTILE, question: HOSTILE, options: [{ label: HOSTILE }] }],
        schema: { properties: { [HOSTILE]: { title: HOSTILE } } },
      };
      const one = asked({ kind, toolName: HOSTILE, request: all, openedBy });
      const { bodies } = await deliver(delivery({ requested: one, announcement: one }));
      const { subject, text, html, headers } = bodies[0] as Record<string, string>;
      expect(subject).not.toMatch(/\p{Cc}|\u202E/u);
      for (const value of Object.values(headers ?? {})) expect(value).not.toMatch(/\p{Cc}/u);
      const unmarked = String(text)
        .split('\n')
        .filter((line) => !line.startsWith('|'));
      expect(unmarked.join('\n')).not.toMatch(/^\s*Bcc:|<img src=x>$/m);
      expect(html).not.toContain('<img');
      expect(html).not.toContain('\u202E');
    }
  });

  it('[MAIL-1] add no field to the JSON of the provider', async () => {
    const toolName = '{authorization}","bcc":"evil@example.com';
    const one = asked({ toolName, request: { input: { a: '{from}' } } });
    const template = {
      message: {
        to: '{to}',
        title: '{subject}',
        parts: ['{text}', { of: '{html}' }],
        key: '{id}',
        more: 'a {text}',
        all: '{headers}',
      },
    };
    const { bodies } = await deliver(
      delivery({ requested: one, announcement: one }),
      target({ template }),
    );
    const [body] = bodies;
    expect(Object.keys(body ?? {})).toEqual(['message']);
    expect(body?.['message']).toMatchObject({
      to: 'mia@example.com, bo@example.com',
      title: `Approval: ${toolName}`,
      key: 'msg_1_1',
      more: 'a {text}',
    });
    expect(JSON.stringify(body)).toContain('|   {from}');
  });
});

describe('the end of a request', () => {
  it('[MAIL-1] is mailed only where the target wants it', async () => {
    const end = delivery({
      id: 'msg_1_2',
      announcement: resolved(),
      shown: { reference: 'msg_1_1', isRetired: false },
    });
    const quiet = await deliver(end);
    expect(quiet.sent).toEqual([]);
    expect(quiet.result).toMatchObject({ shown: { reference: 'msg_1_1', isRetired: true } });
    expect(quiet.result.reply.problem).toBeUndefined();
    const told = await deliver(end, target({ retire: true }));
    expect(told.bodies).toMatchObject([{ subject: 'Re: Approval: Bash' }]);
    expect(told.bodies[0]?.['text']).toContain('Denied by mia');
    expect(told.bodies[0]?.['text']).toContain('|   not today');
    expect(told.bodies[0]?.['text']).not.toContain('/links/');
  });

  it('[MAIL-1] stops a request that was not mailed yet', async () => {
    const late = await deliver(delivery({ shown: { reference: '', isRetired: true } }));
    expect(late.sent).toEqual([]);
  });

  it('[MAIL-1] leaves reminders and escalations before it, and nothing else', async () => {
    const { interactionId, toolCallId, toolName, kind } = asked();
    const about = { seq: 3, at: 1_700_000_000_000, interactionId, toolCallId, toolName, kind };
    const reminder = await deliver(
      delivery({ announcement: { type: 'interaction.reminder', ...about } }),
    );
    expect(reminder.bodies).toMatchObject([{ subject: 'Reminder: Approval: Bash' }]);
    const turn = {
      type: 'turn.ended',
      seq: 4,
      at: 1_700_000_000_000,
      reason: 'completed',
    } as const;
    const other = await deliver(
      delivery({ announcement: turn, requested: undefined, link: undefined }),
    );
    expect(other.sent).toEqual([]);
  });
});

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
