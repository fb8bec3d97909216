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
import { effectOfChoice, readChoices } from '../../../protocol/approval-choices.ts';
import type { Json, JsonObject } from '../../../protocol/json.ts';
import { isObject } from '../../../protocol/types.ts';
import { readLinkAddress } from '../../../protocol/link-address.ts';

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

type MailedRequest = NonNullable<OutgoingDelivery['requested']>;

interface RequestPart {
  readonly name: string;
  readonly text: string;
}

/** `request` is missing in an announcement of something else than a request. */
function titleRequest({
  kind,
  toolName,
  request = null,
}: Pick<MailedRequest, 'kind' | 'toolName'> & Partial<Pick<MailedRequest, 'request'>>): string {
  switch (kind) {
    case 'approval':
      return `Approval: ${toolName}`;
    case 'question': {
      const [first] = objectsIn(request?.questions);
      return `Question: ${textIn(first?.question) ?? toolName}`;
    }
    case 'plan_review':
      return 'Plan: Review the plan';
    case 'form':
      return `Form: ${textIn(request?.title) ?? toolName}`;
    case 'link':
      return `Link: ${textIn(request?.title) ?? toolName}`;
    default:
      return `Request: ${toolName}`;
  }
}

function describeRequest({ kind, toolName, request }: MailedRequest): readonly RequestPart[] {
  const tool = { name: 'Tool', text: toolName };
  if (request === null) {
    return [tool, { name: 'Input', text: 'It is too long for a mail. Open the page to read it.' }];
  }
  switch (kind) {
    case 'approval':
      return [
        tool,
        ...partsOf(isObject(request.input) ? request.input : request),
        ...explanationPart(request),
        ...choiceParts(request, toolName),
      ];
    case 'question':
      return objectsIn(request.questions).map(({ header, question, options }) => ({
        name: textIn(header) ?? 'Question',
        text: [
          textIn(question),
          ...objectsIn(options).map(({ label }) => `- ${textIn(label)}`),
        ].join('\n'),
      }));
    case 'plan_review':
      return [{ name: 'Plan', text: textIn(request.plan) ?? '' }];
    case 'form':
      return [
        ...explanationPart(request),
        { name: 'Fields', text: fieldsOfForm(request).join('\n') },
      ];
    case 'link':
      return describeLink(request);
    default:
      return [tool, ...partsOf(request)];
  }
}

/** The host alone: programs for mail make a link of every address, and this one is opened from the page. */
function describeLink({ message, url }: JsonObject): readonly RequestPart[] {
  const address = readLinkAddress(textIn(url) ?? '');
  return [
    ...explanationPart({ description: message ?? '' }),
    { name: 'Leads to', text: address.ok ? address.host : 'The page shows where.' },
  ];
}

function explanationPart({ description }: JsonObject): readonly RequestPart[] {
  const text = textIn(description);
  return text === undefined ? [] : [{ name: 'Agent’s explanation (not verified)', text }];
}

function choiceParts(request: JsonObject, toolName: string): readonly RequestPart[] {
  const choices = readChoices(request) ?? [];
  const lines = choices.map(
    (choice) => `- ${choice.label.replaceAll(/\s+/g, ' ')}: ${effectOfChoice(choice, toolName)}`,
  );
  return lines.length === 0 ? [] : [{ name: 'Choices', text: lines.join('\n') }];
}

function partsOf(input: JsonObject): readonly RequestPart[] {
  return Object.entries(input).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  }));
}

function fieldsOfForm({ schema }: JsonObject): readonly string[] {
  const properties = isObject(schema) ? schema.properties : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(
    ([name, field]) => `- ${(isObject(field) && textIn(field.title)) || name}`,
  );
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => isObject(one)) : [];
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
