/** Which announcements a target receives, and the body in which it receives one. */
import type { Announcement } from '../../protocol/schema/announcement.ts';
import { hasLabels, type Labels } from '../../protocol/schema/audience.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { MadeAnswerLink } from '../../protocol/schema/answer-link.ts';
import { readChoices } from '../../protocol/approval-choices.ts';
import { isInAudience, type Party } from '../audience.ts';
import type { AnnouncedType, TargetFilter } from '../../protocol/schema/target.ts';

export interface AnnouncementFilter {
  readonly events: readonly ('*' | AnnouncedType)[];
  readonly filter?: TargetFilter;
}

/** The session of an announcement, and the target as one of those whom a request may be for. */
export interface AnnouncedTo {
  readonly sessionId: string;
  readonly labels: Labels;
  readonly party: (how: { readonly withFormer: boolean }) => Party;
}

/** What is about an interaction with an audience goes only to targets in that audience. */
export function matchesTarget(
  { events, filter = {} }: AnnouncementFilter,
  { sessionId, labels, party }: AnnouncedTo,
  announcement: Announcement,
): boolean {
  if (!events.includes('*') && !events.includes(announcement.type)) return false;
  if (filter.sessions !== undefined && !sessionId.startsWith(filter.sessions)) return false;
  if (!hasLabels(filter.labels, labels)) return false;
  const { kinds, tools } = filter;
  if (!('interactionId' in announcement)) return kinds === undefined && tools === undefined;
  const { type, audience } = announcement;
  // Who is asked before and after gets the request anew, and nothing that retires it.
  if (
    type === 'interaction.handed_over' &&
    isInAudience(announcement.to, party({ withFormer: false }))
  )
    return false;
  // A person who left a group has shown requests to retire, and gets no new ones.
  const isNew = type === 'interaction.requested' || type === 'interaction.escalated';
  if (audience !== undefined && !isInAudience(audience, party({ withFormer: !isNew })))
    return false;
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

export type RequestedAnnouncement = Extract<Announcement, { type: 'interaction.requested' }>;

/**
 * The request that an announcement asks for an answer to. An escalation asks others, who have seen no request; if the
 * request has settled since, it asks for nothing.
 */
export function requestIn(announcement: Announcement): RequestedAnnouncement | undefined {
  if (announcement.type === 'interaction.requested') return announcement;
  if (announcement.type !== 'interaction.escalated') return undefined;
  const { presentation, request, inputDigest, openedBy, expiresAt = null } = announcement;
  const isOpen = presentation && request !== undefined && inputDigest !== undefined && openedBy;
  if (!isOpen) return undefined;
  const asked = { presentation, request, inputDigest, openedBy, expiresAt };
  return { ...announcement, ...asked, type: 'interaction.requested' };
}

function answerFields(
  announcement: Announcement,
  url: string | undefined,
  link: MadeAnswerLink | undefined,
) {
  const asked = requestIn(announcement);
  if (asked === undefined) return {};
  const { inputDigest, expiresAt, kind, request } = asked;
  const bodies = bodiesOfChoices(request) ?? WEBHOOK_ANSWERS.get(kind) ?? [];
  return { answer: { ...(url !== undefined && { url }), inputDigest, expiresAt, bodies }, link };
}

/** A request that offers choices is approved by one of them, and denied by any denial. */
function bodiesOfChoices(request: JsonObject | null): readonly JsonObject[] | undefined {
  const choices = readChoices(request ?? {})?.map(({ id, decision }) =>
    decision === 'approve' ? { choice: id } : { choice: id, reason: '…' },
  );
  return choices && [...choices, { decision: 'deny', reason: '…' }];
}

/** Examples of what a receiver may send; the reference has every form. */
const WEBHOOK_ANSWERS: ReadonlyMap<string, readonly JsonObject[]> = new Map([
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
  ['link', [{ opened: true }, { done: true }, { decline: true, reason: '…' }]],
]);
