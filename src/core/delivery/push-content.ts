/**
 * What a device shows of a request, and whether one press may decide on it.
 *
 * One press decides only where nothing can be missed: an approval of a tool that the gate knows as reading or editing,
 * whose whole input the notification shows as it is. Everything else opens the card. The texts are short: a system cuts
 * longer ones, and a push service takes 4 KiB.
 */
import type { Announcement } from '../../protocol/schema/announcement.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { isObject, type JsonObject } from '../../protocol/types.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Outcome } from '../../protocol/schema/interaction.ts';
import type { PushedEnd, PushedRequest } from '../../protocol/push-message.ts';
import { toolClass } from '../gate.ts';

type Requested = Extract<Announcement, { type: 'interaction.requested' }>;
type Resolved = Extract<Announcement, { type: 'interaction.resolved' }>;
type HandedOver = Extract<Announcement, { type: 'interaction.handed_over' }>;
export type Asking = Extract<
  Announcement,
  { type: 'interaction.requested' | 'interaction.reminder' | 'interaction.escalated' }
>;

/** What the person of the device may do. */
export interface DeviceRights {
  readonly mayRead: boolean;
  readonly mayAnswer: boolean;
}

export interface AskedAnnouncement {
  readonly sessionId: string;
  readonly announcement: Asking;
  /** What was asked; undefined where it is no longer stored. */
  readonly requested: Requested | undefined;
}

export function pushedRequest(
  { sessionId, announcement, requested }: AskedAnnouncement,
  { mayRead, mayAnswer }: DeviceRights,
): PushedRequest {
  const { interactionId, type } = announcement;
  const isFirst = type === 'interaction.requested';
  const whole = mayRead && requested !== undefined ? wholeInput(requested) : undefined;
  const about = { type: 'request', sessionId, interactionId } as const;
  if (!mayRead) {
    return { ...about, title: UNNAMED, body: '', digest: '', onePress: false };
  }
  const title = noticeTitle(announcement);
  return {
    ...about,
    title: cut(isFirst ? title : `Still waiting: ${title}`, LIMITS.pushTitleChars),
    body: whole ?? cut(firstLine(requested?.request ?? {}), LIMITS.pushBodyChars),
    digest: requested?.inputDigest ?? '',
    onePress: mayAnswer && whole !== undefined,
  };
}

export function pushedEnd(
  sessionId: string,
  ending: Resolved | HandedOver,
  { mayRead }: Pick<DeviceRights, 'mayRead'>,
): Omit<PushedEnd, 'mustShow'> {
  const { words, by } = endWords(ending);
  const title = cut(
    visibleText(mayRead && by !== undefined ? `${words} by ${by}` : words),
    LIMITS.pushTitleChars,
  );
  return { type: 'end', sessionId, interactionId: ending.interactionId, title };
}

function endWords(ending: Resolved | HandedOver) {
  if (ending.type === 'interaction.handed_over') {
    return { words: 'Handed over to others', by: ending.by?.subject };
  }
  const { outcome, settledBy } = ending;
  const isByPerson = settledBy.via !== 'system' && outcome !== 'superseded';
  return { words: OUTCOME_WORDS[outcome], by: isByPerson ? settledBy.subject : undefined };
}

const UNNAMED = 'An agent is waiting for you';

const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  approved: 'Approved',
  denied: 'Denied',
  answered: 'Answered',
  cancelled: 'Cancelled',
  expired: 'Expired',
  superseded: 'The agent changed its request',
};

function noticeTitle({ kind, toolName }: Asking): string {
  const tool = visibleText(toolName);
  switch (kind) {
    case 'approval':
      return `${tool} asks for approval`;
    case 'question':
      return `${tool} asks a question`;
    case 'plan_review':
      return 'A plan waits for your review';
    case 'form':
      return `${tool} asks for details`;
    case 'link':
      return `${tool} asks you to open a link`;
    default:
      return `${tool} is waiting for you`;
  }
}

/** The most telling text of a request of any kind, on one line. */
function firstLine(request: JsonObject): string {
  const { input, questions, plan, message, title, description } = request;
  const question = Array.isArray(questions) ? questions[0] : undefined;
  const texts = [
    isObject(input) ? pushedLines(input)[0] : undefined,
    isObject(question) ? question.question : undefined,
    plan,
    message,
    title,
    description,
  ];
  const found = texts.find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof found === 'string' ? visibleText(found.trim().split('\n', 1)[0] ?? '') : '';
}

/** Undefined unless one press is safe. */
function wholeInput({ kind, toolName, request, replaces }: Requested): string | undefined {
  // A changed request needs a fresh look at what changed, and only the card shows that.
  if (kind !== 'approval' || request === null || replaces !== undefined) return undefined;
  const { input, choices, offers = ['once'] } = request;
  // A notification has one pair of buttons, and none of them is a choice of the agent's.
  if (choices !== undefined) return undefined;
  if (!SAFE_CLASSES.has(toolClass(toolName)) || !isObject(input)) return undefined;
  if (!Array.isArray(offers) || !offers.includes('once')) return undefined;
  const lines = pushedLines(input);
  const text = lines.join('\n');
  const isPlain = visibleText(text) === text && !lines.some((line) => line.includes('\n'));
  const fits = text.length <= LIMITS.onePressChars && lines.length <= LIMITS.onePressLines;
  return isPlain && fits ? text : undefined;
}

/** A tool that the gate does not know may do anything. */
const SAFE_CLASSES: ReadonlySet<string> = new Set(['read', 'edit']);

function pushedLines(input: JsonObject): string[] {
  return Object.entries(input).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 2).replace(/[\uD800-\uDBFF]$/, '')} …`;
}
