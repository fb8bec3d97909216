/**
 * The surface of a mailbox: a mail for each request, with the answer link of the target's audience. It goes through the
 * provider of the target, or else through the mail binding of the deployment.
 */
import type { Json, JsonObject } from '../../../protocol/json.ts';
import { isObject } from '../../../protocol/types.ts';
import type { DeliveryResult, OutgoingDelivery, Surface, SurfaceReply } from '../surface.ts';
import type { SettingsOf } from '../surface-settings.ts';
import { composeMail, type MailTarget, type OutgoingMail } from './compose-mail.ts';

const NOT_MAILED: SurfaceReply = { text: 'Nothing is mailed for this.', retryAfter: null };
const NO_PROVIDER: SurfaceReply = {
  text: '',
  retryAfter: null,
  problem: 'The target has no provider, and the deployment has no mail binding',
};

type MailPorts = Parameters<Surface<SettingsOf<'mail'>>['deliver']>[2];

export const mailSurface: Surface<SettingsOf<'mail'>> = {
  async deliver(target, delivery, ports): Promise<DeliveryResult> {
    const mail = composeMail(target, delivery, ports.isoTime);
    const reply = mail === undefined ? NOT_MAILED : await sendMail(target, mail, ports);
    if (reply.problem !== undefined) return { reply };
    const shown = shownAfter(delivery, mail);
    return { reply, ...(shown !== undefined && { shown }) };
  },
};

/** Kept until the request has settled, so that a reminder finds what it reminds of. */
function shownAfter({ announcement, shown }: OutgoingDelivery, mail: OutgoingMail | undefined) {
  const { type } = announcement ?? {};
  if (type === 'interaction.resolved' || (type === 'interaction.handed_over' && shown)) {
    return { reference: shown?.reference ?? '', isRetired: true };
  }
  return announcement?.type === 'interaction.requested' && mail !== undefined
    ? { reference: mail.id, isRetired: false }
    : undefined;
}

async function sendMail(
  { settings }: MailTarget,
  mail: OutgoingMail,
  { send, sendBoundMail }: MailPorts,
): Promise<SurfaceReply> {
  const { provider, template } = settings;
  if (provider === undefined) return sendBoundMail?.(mail) ?? NO_PROVIDER;
  const { url, authorization, header = 'authorization' } = provider;
  return send({
    url,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': mail.id,
      ...(authorization !== undefined && { [header.toLowerCase()]: authorization }),
    },
    body: JSON.stringify(fillTemplate(mail, template)),
  });
}

/** The names that several providers use. */
const USUAL_TEMPLATE: JsonObject = {
  from: '{from}',
  to: '{toList}',
  subject: '{subject}',
  text: '{text}',
  html: '{html}',
  headers: '{headers}',
};

/**
 * The JSON for a mail provider, from a template of its field names. Values go into parsed JSON and never into its text, so
 * that no value can add a field.
 */
function fillTemplate(mail: OutgoingMail, template: JsonObject = USUAL_TEMPLATE): Json {
  const values: ReadonlyMap<string, Json> = new Map<string, Json>([
    ['{id}', mail.id],
    ['{from}', mail.from],
    ['{to}', mail.to.join(', ')],
    ['{toList}', [...mail.to]],
    ['{subject}', mail.subject],
    ['{text}', mail.text],
    ['{html}', mail.html],
    ['{headers}', { ...mail.headers }],
  ]);
  return fill(template, values);
}

function fill(part: Json, values: ReadonlyMap<string, Json>): Json {
  if (typeof part === 'string') return values.get(part) ?? part;
  if (Array.isArray(part)) return part.map((one) => fill(one, values));
  if (!isObject(part)) return part;
  const entries = Object.entries(part);
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(value, values)]));
}
