/** Sends a mail through the `send_email` binding of the platform, which makes its MIME. */
import type { OutgoingMail } from '../../delivery/surfaces/mail/compose-mail.ts';
import type { SurfaceReply } from '../../delivery/surfaces/surface.ts';

/** The part of the binding that is used. */
export interface MailBinding {
  send(mail: {
    from: string;
    to: string[];
    subject: string;
    text: string;
    html: string;
    headers: Record<string, string>;
  }): Promise<unknown>;
}

export function boundMailSender(
  binding: MailBinding,
): (mail: OutgoingMail) => Promise<SurfaceReply> {
  return async ({ from, to, subject, text, html, headers }) => {
    try {
      await binding.send({ from, to: [...to], subject, text, html, headers: { ...headers } });
      return { text: '', retryAfter: null };
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      return {
        text: '',
        retryAfter: null,
        problem: `The mail binding refused it: ${why}`.slice(0, 300),
      };
    }
  };
}
