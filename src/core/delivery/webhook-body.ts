/** Which announcements a target receives, and the body in which it receives one. */
import type { Announcement } from '../../protocol/schema/announcement.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { MadeAnswerLink } from '../../protocol/schema/answer-link.ts';
import type { AnnouncedType, TargetFilter } from '../../protocol/schema/target.ts';

export interface Subscription {
  readonly events: readonly ('*' | AnnouncedType)[];
  readonly filter?: TargetFilter;
}

export function matchesTarget(
  { events, filter = {} }: Subscription,
  sessionId: string,
  announcement: Announcement,
): boolean {
  if (!events.includes('*') && !events.includes(announcement.type)) return false;
  if (filter.sessions !== undefined && !sessionId.startsWith(filter.sessions)) return false;
  const { kinds, tools } = filter;
  if (kinds === undefined && tools === undefined) return true;
  if (!('interactionId' in announcement)) return false;
  return (
    (kinds?.includes(announcement.kind) ?? true) && (tools?.includes(announcement.toolName) ?? true)
  );
}

export interface WebhookContent {
  readonly workspace: string;
  readonly sessionId: string;
  readonly announcement: Announcement;
  /** Where the receiver may answer; undefined where no address leads to this process. */
  readonly answerUrl: string | undefined;
  /** Of the audience. */
  readonly link: MadeAnswerLink | undefined;
  /** ISO 8601. */
  readonly timestamp: string;
}

export function webhookBody(content: WebhookContent): JsonObject {
  const { workspace, sessionId, announcement, answerUrl, link, timestamp } = content;
  const { type, seq, at: _at, ...fields } = announcement;
  const about =
    'interactionId' in announcement
      ? { interaction: fields, ...answerFields(announcement, answerUrl, link) }
      : fields;
  const data = { workspace, sessionId, seq, ...about };
  // A round trip drops what JSON cannot hold, such as fields that are undefined.
  return JSON.parse(JSON.stringify({ type, timestamp, data })) as JsonObject;
}

function answerFields(
  announcement: Announcement,
  url: string | undefined,
  link: MadeAnswerLink | undefined,
) {
  if (announcement.type !== 'interaction.requested') return {};
  const { inputDigest, expiresAt, kind } = announcement;
  const bodies = ANSWERS_BY_KIND.get(kind) ?? [];
  return { answer: { ...(url !== undefined && { url }), inputDigest, expiresAt, bodies }, link };
}

/** Examples of what a receiver may send; the reference has every form. */
const ANSWERS_BY_KIND: ReadonlyMap<string, readonly JsonObject[]> = new Map([
  ['approval', [{ decision: 'approve' }, { decision: 'deny', reason: '…' }]],
  ['question', [{ answers: { '0': '…' } }, { decline: true, reason: '…' }]],
  [
    'plan_review',
    [
      { decision: 'edit' },
      { decision: 'clean_edit' },
      { decision: 'default' },
      { decision: 'adjust', feedback: '…' },
    ],
  ],
  ['form', [{ values: { field: '…' } }, { decline: true, reason: '…' }]],
]);
