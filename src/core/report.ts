/**
 * The report of a session to its workspace: a range of the log, reduced to the data that the workspace keeps.
 *
 * `open` and `closed` describe the session as it is now, not event by event, so applying a range twice or together with
 * a later one gives the same session list. Announcements and audit entries are listed event by event. They follow from
 * the range alone, and each carries its `seq`, by which the workspace recognizes a repeated report. `about` is what the list
 * of sessions shows of the range: its last line, and who works there. A gated request is reduced to what a rule looks at,
 * for the workspace to try rules on.
 */
import type { Labels } from '../protocol/schema/audience.ts';
import type { Announcement } from '../protocol/schema/announcement.ts';
import { isRecordEvent } from '../protocol/interaction-record.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { AuditEntry, InboxEntry, SessionAbout } from '../protocol/schema/workspace.ts';
import type { GatedRequest } from '../protocol/schema/gated-request.ts';
import type { Rule } from '../protocol/schema/rule.ts';
import { LIMITS } from '../protocol/limits.ts';
import { fitsInBytes } from '../protocol/bytes.ts';
import type { JsonObject } from '../protocol/json.ts';
import { announceEvent, announceHandover, requestForLists } from './announce-event.ts';
import { toAuditEntry } from './audit-entry.ts';
import { listOpenInteractions, type SessionState, workingFolder } from './state.ts';
import { digestRule } from './digest.ts';
import { judgedPart } from './rules/match-rule.ts';

/** Identifies the stored log: a session whose file was replaced by an older copy must not pass for the same log. */
export interface ReportSource {
  /** The random name of the session's file; empty for files written before they had names. */
  readonly incarnation: string;
  /** The incarnation that the workspace still knows and replaces by this one. */
  readonly replaces?: string;
  /** No report of this session goes beyond this seq: its head when it woke, or the seq confirmed since. */
  readonly reportedAtMost: number;
  /** Heads of reports whose reply was lost; the workspace may have applied one of them. */
  readonly unconfirmedHeads: readonly number[];
}

/** The reply of a workspace that knows another log under this id, in place of the confirmed seq. */
export interface LogConflict {
  readonly incarnation: string;
  readonly head: number;
}

/** The confirmed seq, with the hint that someone follows the inbox. */
interface WatchedHead {
  readonly head: number;
  readonly isWatched: true;
}

export type ReportReply = number | WatchedHead | LogConflict;

export interface Report extends ReportSource {
  readonly workspace: string;
  readonly sessionId: string;
  /** The report covers the log from here (exclusive) to `head`; the session must report a gap before it again. */
  readonly after: number;
  readonly head: number;
  readonly title: string | null;
  /** Absent: it has none. */
  readonly labels?: Labels;
  /** Absent: it is not. */
  readonly archived?: true;
  /** What the list shows of the session; a session of an older version sends none. */
  readonly about?: SessionAbout;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly open: readonly InboxEntry[];
  readonly closed: readonly string[];
  readonly audit: readonly AuditEntry[];
  readonly announcements: readonly Announcement[];
  /** The rules of the session as they are now; left out where no event of this stretch changes them. */
  readonly rules?: readonly Rule[];
  /** The session reads a `WatchedHead`; one of an older version would take it for another log. */
  readonly readsWatched?: true;
  /** The requests that passed the gate. A session of an older version reports none. */
  readonly gated?: readonly GatedRequest[];
}

export function buildReport(
  state: SessionState,
  after: number,
  events: readonly SessionEvent[],
  source: ReportSource,
): Report {
  const touchedIds = new Set<string>();
  const audit: AuditEntry[] = [];
  const announcements: Announcement[] = [];
  const gated: GatedRequest[] = [];
  let changesRules = source.replaces !== undefined;
  for (const event of events) {
    const interactionId = isRecordEvent(event) ? event.payload.interactionId : undefined;
    if (interactionId !== undefined) touchedIds.add(interactionId);
    const request = toGatedRequest(state, event);
    if (request !== undefined) gated.push(request);
    if (event.type === 'session_updated') {
      const { ruleAdded, ruleRevoked } = event.payload;
      changesRules ||= ruleAdded !== undefined || ruleRevoked !== undefined;
    }
    const entry = toAuditEntry(state, event);
    if (entry !== undefined) audit.push(entry);
    const announcement = announceEvent(event, state.open.get(interactionId ?? ''));
    if (announcement !== undefined) announcements.push(announcement);
    const handover = announceHandover(event);
    if (handover !== undefined) announcements.push(handover);
  }
  // A workspace that replaces another log needs every open interaction at once: it forgets those left out.
  const isWhole = source.replaces !== undefined;
  const open = listOpenInteractions(state).filter(
    (one) => isWhole || touchedIds.has(one.interactionId),
  );
  return {
    ...source,
    workspace: state.info.workspace,
    sessionId: state.info.id,
    after,
    head: state.head,
    title: state.info.deletedAt === null ? state.info.title : null,
    ...(state.info.labels !== undefined && { labels: state.info.labels }),
    ...(state.info.archived === true && { archived: true as const }),
    about: state.info.deletedAt === null ? summarizeEvents(state, events) : {},
    createdAt: state.info.createdAt,
    deletedAt: state.info.deletedAt,
    open: open.map((interaction): InboxEntry => {
      const { interactionId, toolCallId, toolName, kind, presentation } = interaction;
      const { inputDigest, openedAt, openedBy, expiresAt, overdue, audience } = interaction;
      const { quorum, notRequester, votes, claim } = interaction;
      return {
        sessionId: state.info.id,
        sessionTitle: state.info.title,
        ...(state.info.labels !== undefined && { sessionLabels: state.info.labels }),
        interactionId,
        toolCallId,
        toolName,
        kind,
        presentation,
        request: requestForLists(interaction),
        inputDigest,
        openedAt,
        openedBy,
        expiresAt,
        ...(overdue === true && { overdue }),
        ...(audience !== undefined && { audience }),
        ...(quorum !== undefined && { quorum }),
        ...(notRequester !== undefined && { notRequester }),
        ...(votes !== undefined && { votes }),
        ...(claim !== undefined && { claim }),
      };
    }),
    closed: [...touchedIds].filter((id) => !state.open.has(id)),
    audit,
    announcements,
    readsWatched: true,
    ...(changesRules && { rules: state.rules }),
    ...(gated.length > 0 && { gated }),
  };
}

/** Fields that this stretch says nothing about are left out. */
function summarizeEvents(
  { info }: Pick<SessionState, 'info'>,
  events: readonly SessionEvent[],
): SessionAbout {
  const about: { -readonly [K in keyof SessionAbout]: SessionAbout[K] } = {};
  const last = events.at(-1);
  if (last !== undefined) about.lastAt = last.at;
  const line = events.findLast((event) => summaryLineOf(event) !== undefined);
  if (line !== undefined) about.lastLine = oneLine(summaryLineOf(line) ?? '', LIMITS.lastLineChars);
  const agent = agentOf(info, events);
  if (agent !== undefined) about.agent = agent;
  return about;
}

function summaryLineOf(event: SessionEvent): string | undefined {
  const text = summaryText(event)?.trim();
  return text === '' ? undefined : text;
}

function summaryText({ type, payload }: SessionEvent): string | undefined {
  switch (type) {
    case 'user_message':
    case 'assistant_text':
      return payload.text;
    case 'error':
      return payload.message;
    case 'interaction_request':
      return typeof payload.request['description'] === 'string'
        ? `${payload.toolName}: ${payload.request['description']}`
        : payload.toolName;
    default:
      return undefined;
  }
}

function agentOf(
  info: SessionState['info'],
  events: readonly SessionEvent[],
): SessionAbout['agent'] {
  if (info.agent !== null) return { type: 'built-in', name: info.agent.model ?? '' };
  const cli = info.cliSessions?.at(-1);
  if (cli !== undefined) return { type: 'cli', name: cli.provider };
  const asked = events.findLast((event) => event.type === 'interaction_request');
  if (asked !== undefined) return { type: 'client', name: asked.payload.openedBy.subject };
  const began = events.find((event) => event.type === 'session_started');
  return began && { type: 'client', name: began.payload.createdBy.subject };
}

/** The beginning of a text as one line: white space becomes single blanks, and no character is cut in half. */
function oneLine(text: string, maxChars: number): string {
  // A blank of any length becomes one, so twice the length is enough of most texts.
  const line = text
    .slice(0, 8 * maxChars)
    .trim()
    .replaceAll(/\s+/g, ' ');
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Undefined for an event that is no such request. */
function toGatedRequest(
  { info }: Pick<SessionState, 'info'>,
  event: SessionEvent,
): GatedRequest | undefined {
  const folder = workingFolder(info);
  const about = { seq: event.seq, at: event.at, ...(folder !== undefined && { folder }) };
  if (event.type === 'tool_call' && event.payload.decided !== undefined) {
    const { toolName, input, decided, wholeInput } = event.payload;
    const outcome = decided.behavior === 'allow' ? 'allowed' : 'denied';
    const reduced = reduceInput(toolName, wholeInput === undefined ? input : undefined);
    return { ...about, toolName, outcome, by: decided.by, ...reduced };
  }
  if (event.type === 'interaction_request' && event.payload.kind === 'approval') {
    const { toolName, request, wholeInput, askedBy, interactionId } = event.payload;
    const input = wholeInput === undefined ? (request.input as JsonObject) : undefined;
    const by = askedBy !== undefined && { by: askedBy };
    return {
      ...about,
      toolName,
      outcome: 'asked',
      ...by,
      interactionId,
      ...reduceInput(toolName, input),
    };
  }
  return undefined;
}

/** `input` is undefined where it is not in the log whole. */
function reduceInput(
  toolName: string,
  input: JsonObject | undefined,
): Pick<GatedRequest, 'input' | 'ruleDigest'> {
  if (input === undefined) return { input: null };
  const judged = judgedPart(input);
  const isSmall = (value: JsonObject) => fitsInBytes(JSON.stringify(value), LIMITS.triedInputBytes);
  if (!isSmall(judged)) return { input: null };
  return { input: judged, ...(isSmall(input) && { ruleDigest: digestRule(toolName, input) }) };
}
