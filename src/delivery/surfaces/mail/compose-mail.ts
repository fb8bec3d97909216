/**
 * The mail about one announcement, as text and as HTML, or undefined for one that nothing is mailed for.
 *
 * Everything that an agent sent is marked as such and comes after the answer link: a text of an agent may hold a link of
 * its own. Nothing of it reaches a header but the subject, which is one line of visible characters. The mails of a session
 * share one `References`, so that they are one thread also where the first one was lost.
 */
import { html, type Html } from '../../../core/html.ts';
import { hashText } from '../../../core/digest.ts';
import { visibleText } from '../../../protocol/escapes.ts';
import type { Announcement } from '../../../protocol/schema/announcement.ts';
import type { OutgoingDelivery, SurfaceTarget } from '../surface.ts';
import type { SettingsOf } from '../surface-settings.ts';
import { describeRequest, type RequestPart, titleRequest } from './describe-request.ts';

export type MailTarget = SurfaceTarget<SettingsOf<'mail'>>;

export interface OutgoingMail {
  /** Of the delivery, the same in every attempt. */
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SUBJECT_CHARS = 150;

export function composeMail(
  target: MailTarget,
  delivery: OutgoingDelivery,
  isoTime: (at: number) => string,
): OutgoingMail | undefined {
  const content = mailContent(target, delivery, isoTime);
  if (content === undefined) return undefined;
  const { id, sessionId } = delivery;
  const { workspace, settings } = target;
  const domain = settings.from.slice(settings.from.lastIndexOf('@') + 1);
  const thread = `<session.${hashText(`${workspace}/${sessionId}`)}@${domain}>`;
  const headers: Record<string, string> = { 'Message-ID': `<${id}@${domain}>` };
  if (sessionId !== '') Object.assign(headers, { 'In-Reply-To': thread, References: thread });
  return {
    id,
    from: settings.from,
    to: settings.to,
    subject: shortenSubject(content.subject),
    text: writeMailText(content),
    html: writeHtml(content).text,
    headers,
  };
}

interface MailContent {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly link?: { readonly label: string; readonly url: string } | undefined;
  readonly parts: readonly RequestPart[];
}

function mailContent(
  { audience, origin, settings, workspace }: MailTarget,
  delivery: OutgoingDelivery,
  isoTime: (at: number) => string,
): MailContent | undefined {
  const { announcement, requested, link, sessionId, shown } = delivery;
  const time = (at: number) => `${isoTime(at).slice(0, 16).replace('T', ' ')} UTC`;
  if (announcement === null) {
    const lines = [`A test from the workspace ${workspace}. Nothing is waiting for you.`];
    return { subject: 'Test of a Holdpoint target', lines, parts: [] };
  }
  if (announcement.type === 'interaction.resolved') {
    if (settings.retire !== true) return undefined;
    const { outcome, settledBy, at, reason } = announcement;
    const words = MAILED_OUTCOMES[outcome];
    const parts = reason === undefined ? [] : [{ name: 'Reason', text: reason }];
    const lines = [`${words} by ${asLine(settledBy.subject)}, ${time(at)}.`];
    return { subject: `Re: ${titleRequest(requested ?? announcement)}`, lines, parts };
  }
  if (announcement.type === 'interaction.handed_over') {
    // Who was mailed nothing has nothing to forget.
    if (settings.retire !== true || shown?.isRetired !== false) return undefined;
    const { by, at } = announcement;
    const who = by === undefined ? '' : ` by ${asLine(by.subject)}`;
    const lines = [
      `Handed over to others${who}, ${time(at)}. There is nothing left for you to do.`,
    ];
    return { subject: `Re: ${titleRequest(requested ?? announcement)}`, lines, parts: [] };
  }
  const prefix = PREFIXES[announcement.type];
  if (prefix === undefined || requested === undefined || shown?.isRetired === true)
    return undefined;
  const { openedBy, expiresAt, inputDigest, interactionId } = requested;
  const parts = new URLSearchParams({ session: sessionId, interaction: interactionId });
  const inChat = origin === undefined ? undefined : `${origin}/#${parts.toString()}`;
  return {
    subject: `${prefix}${titleRequest(requested)}`,
    lines: [
      `${asLine(openedBy.subject)} asks, and waits for an answer.`,
      expiresAt === null ? 'There is no deadline.' : `Answer by ${time(expiresAt)}.`,
      ...(link === undefined
        ? []
        : [
            `The link answers as ${asLine(audience ?? '')}, until ${time(link.expiresAt)}. Who has it can answer: do not pass it on.`,
          ]),
      `Digest of the input: ${inputDigest}`,
    ],
    link:
      link !== undefined
        ? { label: 'See the request and answer', url: link.url }
        : inChat === undefined
          ? undefined
          : { label: 'Open it in the chat', url: inChat },
    parts: describeRequest(requested),
  };
}

/** What a mail is sent for, and how its subject begins. */
const PREFIXES: Readonly<Partial<Record<Announcement['type'], string>>> = {
  'interaction.requested': '',
  'interaction.reminder': 'Reminder: ',
  'interaction.escalated': 'Escalated: ',
};

const MAILED_OUTCOMES = {
  approved: 'Approved',
  denied: 'Denied',
  answered: 'Answered',
  cancelled: 'Cancelled',
  expired: 'Expired',
  superseded: 'Replaced by a changed request',
} as const;

/** A line break would begin another header, or a line that is not marked as the agent's. */
function asLine(text: string): string {
  return visibleText(text.replaceAll(/\s+/g, ' ')).trim();
}

function shortenSubject(text: string): string {
  const line = asLine(text);
  const cut = line.slice(0, SUBJECT_CHARS).replace(/[\uD800-\uDBFF]$/, '');
  return cut.length < line.length ? `${cut}…` : line;
}

function writeMailText({ lines, link, parts }: MailContent): string {
  const own = [...(link === undefined ? [] : [`${link.label}:`, link.url, '']), ...lines];
  const asked = parts.flatMap(({ name, text }) => [
    '',
    `| ${asLine(name)}:`,
    ...visibleText(text)
      .split('\n')
      .map((line) => `|   ${line}`),
  ]);
  const mark = parts.length === 0 ? [] : ['', 'Every line that begins with | is from the agent.'];
  return `${[...own, ...mark, ...asked].join('\n')}\n`;
}

const BODY_STYLE = 'font:15px/1.6 sans-serif;color:#1d1f21;max-width:46rem';
const BUTTON_STYLE =
  'display:inline-block;padding:10px 16px;border-radius:10px;background:#245c50;color:#ffffff;text-decoration:none;font-weight:600';
const PRE_STYLE =
  'margin:0;padding:8px 12px;border-radius:6px;background:#efeeea;font:13px/1.55 monospace;white-space:pre-wrap;overflow-wrap:anywhere';
const NAME_STYLE = 'margin:16px 0 4px;color:#5b5f64;font-size:13px';

function writeHtml({ lines, link, parts }: MailContent): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="${BODY_STYLE}">
${link !== undefined && html`<p><a href="${link.url}" style="${BUTTON_STYLE}">${link.label}</a></p>`}
${lines.map((line) => html`<p style="overflow-wrap:anywhere">${line}</p>\n`)}
${parts.length > 0 && html`<p style="${NAME_STYLE}">From the agent:</p>`}
${parts.map(
  ({ name, text }) => html`<p style="${NAME_STYLE}">${asLine(name)}</p>
<pre style="${PRE_STYLE}">
${visibleText(text)}</pre>
`,
)}</body></html>
`;
}
