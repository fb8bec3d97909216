/**
 * Mails of a target: what is in them, who sends them, and that no text of an agent becomes a header, a field or markup.
 *
 * A bug here looks like a Bcc that an agent wrote, a link of an agent where the answer link should stand, or a credential
 * of the provider in a list.
 */
import { describe, expect, it } from 'vitest';
import type { OutgoingDelivery } from '../../../src/delivery/surfaces/surface.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { PROVIDER, LINK, target, type Requested, asked, delivery, deliver } from './mailing.ts';

const HOSTILE = 'Bash\r\nBcc: evil@example.com\r\n\r\n<img src=x>\u0000\u202E';

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

describe('a request that was handed over', () => {
  const handedOver = (): OutgoingDelivery['announcement'] => {
    const { interactionId, toolCallId, toolName, kind } = asked();
    return {
      type: 'interaction.handed_over',
      seq: 2,
      at: 1_700_000_060_000,
      interactionId,
      toolCallId,
      toolName,
      kind,
      to: { subjects: ['bo'] },
      by: { subject: 'olga', via: 'web' },
    };
  };
  const shown = { reference: 'msg_1_1', isRetired: false };

  it('[HAND-2] is mailed to who was mailed the request, where the target wants ends', async () => {
    const one = delivery({ announcement: handedOver(), shown });
    const { bodies, result } = await deliver(one, target({ retire: true }));
    expect(textIn(bodies[0], 'subject')).toMatch(/^Re: /);
    expect(textIn(bodies[0], 'text')).toContain('Handed over to others by olga');
    expect(textIn(bodies[0], 'text')).not.toContain(LINK.url);
    expect(result.shown).toEqual({ reference: 'msg_1_1', isRetired: true });
    expect((await deliver(one)).sent).toEqual([]);
  });

  it('[HAND-2] is no mail to who was mailed nothing', async () => {
    const one = delivery({ announcement: handedOver() });
    const { sent, result } = await deliver(one, target({ retire: true }));
    expect(sent).toEqual([]);
    expect(result.shown).toBeUndefined();
  });
});
