/**
 * The surface of a mailbox: a mail for each request, with the answer link of the target's audience. It goes through the
 * provider of the target, or else through the mail binding of the deployment.
 */
import type { DeliveryResult, OutgoingDelivery, Surface, SurfaceReply } from '../surface.ts';
import type { SettingsOf } from '../surface-settings.ts';
import { composeMail, type MailTarget, type OutgoingMail } from './compose-mail.ts';
import { fillTemplate } from './fill-template.ts';

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
  if (announcement?.type === 'interaction.resolved') {
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
