/**
 * Targets and their deliveries as the settings show them.
 *
 * A type of target that this page does not know is shown all the same, with its first line of address; fields that only
 * such a type has are left to the API.
 */
import { visibleText } from '../../protocol/escapes.ts';
import { isObject, type JsonObject } from '../../protocol/types.ts';
import { absoluteTime } from './absolute-time.ts';
import { textOfField } from './field-text.ts';
import { formTypeOf } from './target-fields.ts';
import { t } from './language.ts';

export interface ListedFilter {
  readonly kinds?: readonly string[];
  readonly tools?: readonly string[];
  readonly sessions?: string;
  readonly labels?: JsonObject;
}

export interface ListedTarget {
  readonly id: string;
  readonly type: string;
  /** As the server lists it, with the settings that only its type has. */
  readonly listed: JsonObject;
  readonly name: string | undefined;
  /** The addresses, the channel or the device: whichever the type has. */
  readonly address: string;
  /** Whose device it is; only of a device. */
  readonly person: string | undefined;
  readonly events: readonly string[];
  readonly filter: ListedFilter;
  readonly audience: string | undefined;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly disabledAt: number | null;
  readonly disabledBy: string | undefined;
}

export interface ListedAttempt {
  readonly at: number;
  readonly status?: number;
  readonly problem?: string;
  readonly body: string;
  readonly answer?: string;
}

export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly sessionId?: string;
  readonly seq?: number;
  readonly createdAt: number;
  readonly status: 'pending' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly nextAt: number | null;
  readonly last: ListedAttempt | null;
}

/** The fields that name the place of a target, by type. */
const ADDRESS_FIELDS = ['url', 'address', 'to', 'channel', 'device'];

export function readTarget(json: unknown): ListedTarget {
  const target: JsonObject = isObject(json) ? json : {};
  const text = (name: string) => (typeof target[name] === 'string' ? target[name] : undefined);
  const time = (name: string) => (typeof target[name] === 'number' ? target[name] : null);
  const { events, filter } = target;
  const parts = ADDRESS_FIELDS.map((name) => listedAddress(target[name]));
  return {
    id: text('id') ?? '',
    type: text('type') ?? '',
    listed: target,
    name: text('name'),
    address: parts.find((part) => part !== '') ?? '',
    person: target['type'] === 'push' ? text('subject') : undefined,
    events: Array.isArray(events) ? events.filter((one) => typeof one === 'string') : [],
    filter: isObject(filter) ? filter : {},
    audience: text('audience'),
    createdAt: time('createdAt') ?? 0,
    createdBy: text('createdBy') ?? '',
    disabledAt: time('disabledAt'),
    disabledBy: text('disabledBy'),
  };
}

function listedAddress(value: unknown): string {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(', ');
  return typeof value === 'string' ? value : '';
}

/** Whether this page can change the fields of a target; of any type it can pause, enable and delete. */
export function isEditable({ type }: Pick<ListedTarget, 'type'>): boolean {
  return formTypeOf(type) !== undefined;
}

/** Its name, or the host of its address, which fits a narrow list; other places are shown whole. */
export function titleOfTarget({
  name,
  address,
  id,
}: Pick<ListedTarget, 'name' | 'address' | 'id'>): string {
  if (name !== undefined) return name;
  try {
    return new URL(address).host || address;
  } catch {
    return address || id;
  }
}

const typeNames = (): Readonly<Record<string, string>> => ({
  webhook: t('Webhook'),
  slack: t('Slack'),
  mail: t('Mail'),
  push: t('Device'),
});

export function typeWords({ type, person }: Pick<ListedTarget, 'type' | 'person'>): string {
  const words = typeNames()[type] ?? type;
  return person === undefined ? words : t('{words} of {person}', { words, person });
}

/** Where the app of Slack sends what people press; undefined for other types. */
export function slackAddressOf(
  { type, id }: Pick<ListedTarget, 'type' | 'id'>,
  origin: string,
): string | undefined {
  return type === 'slack' ? `${origin}/v1/inbound/slack/${encodeURIComponent(id)}` : undefined;
}

export const eventNames = (): Readonly<Record<string, string>> => ({
  'interaction.requested': t('Request opened'),
  'interaction.updated': t('Request changed'),
  'interaction.resolved': t('Request decided'),
  'interaction.reminder': t('Reminder'),
  'interaction.escalated': t('Escalated'),
  'interaction.handed_over': t('Handed over to others'),
  'turn.ended': t('Turn ended'),
  'session.created': t('Session created'),
  'session.deleted': t('Session deleted'),
});

export const kindNames = (): Readonly<Record<string, string>> => ({
  approval: t('Approvals'),
  question: t('Questions'),
  plan_review: t('Plans'),
  form: t('Forms'),
  link: t('Links'),
});

/** Also for a type of event that this page does not know. */
export function eventWords(type: string): string {
  return type === 'target.test' ? t('Test') : (eventNames()[type] ?? type);
}

export function eventsLine(events: readonly string[]): string {
  if (events.includes('*')) return t('Every event');
  const words = events.map(eventWords);
  return words.length > 3 ? t('{count} kinds of event', { count: words.length }) : words.join(', ');
}

/** Undefined without a filter. */
export function filterLine({ kinds, tools, sessions, labels }: ListedFilter): string | undefined {
  const parts = [
    kinds &&
      kinds
        .map((kind) => kindNames()[kind] ?? kind)
        .join(', ')
        .toLowerCase(),
    tools && t('of {tools}', { tools: tools.join(', ') }),
    sessions && t('in sessions that begin with {start}', { start: sessions }),
    labels && t('with {labels}', { labels: textOfField('pairs', labels).replaceAll('\n', ', ') }),
  ].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : t('Only {filter}', { filter: parts.join(' ') });
}

/** The words for a target whose attempts have all failed lately; undefined for one that is well. */
export function failingLine({
  deliveries,
  failingSince,
}: {
  readonly deliveries: readonly Delivery[];
  readonly failingSince?: number | undefined;
}): string | undefined {
  if (failingSince === undefined) return undefined;
  const when = absoluteTime(failingSince);
  const failed = deliveries
    .flatMap(({ type, last }) => (type !== 'target.test' && last?.problem ? [last] : []))
    .toSorted((one, other) => other.at - one.at)[0];
  return failed === undefined
    ? t('Failing since {when}.', { when })
    : t('Failing since {when}: {reason}', { when, reason: visibleText(attemptLine(failed)) });
}

export type TargetState = 'active' | 'failing' | 'paused' | 'disabled' | 'held';

export function stateOf(
  { disabledAt, disabledBy }: ListedTarget,
  failing: string | undefined,
): TargetState {
  if (disabledAt === null) return failing === undefined ? 'active' : 'failing';
  if (disabledBy === 'revocation') return 'held';
  return disabledBy === 'failures' ? 'disabled' : 'paused';
}

const stateNames = (): Readonly<Record<TargetState, string>> => ({
  active: t('Active'),
  failing: t('Failing'),
  paused: t('Paused'),
  disabled: t('Disabled'),
  held: t('Held'),
});

export function stateWords(state: TargetState): string {
  return stateNames()[state];
}

export const STATE_MOODS = {
  active: 'good',
  failing: 'bad',
  paused: 'plain',
  disabled: 'bad',
  held: 'bad',
} as const;

/** Why nothing is sent; undefined for a target that is sent to. */
export function stateReason(state: TargetState): string | undefined {
  switch (state) {
    case 'active':
    case 'failing':
      return undefined;
    case 'paused':
      return t('Paused by an administrator. New events are not sent, and not kept for later.');
    case 'disabled':
      return t(
        'Disabled after three days of failures. New events are not sent, and not kept for later.',
      );
    case 'held':
      return t(
        'The credential that made this target was revoked. It receives and answers nothing until you enable it.',
      );
  }
}

export type DeliveryState = 'delivered' | 'failed' | 'pending' | 'retrying';

export function deliveryState({ status, attempts }: Delivery): DeliveryState {
  if (status === 'delivered') return 'delivered';
  if (status === 'dead') return 'failed';
  return attempts === 0 ? 'pending' : 'retrying';
}

const deliveryNames = (): Readonly<Record<DeliveryState, string>> => ({
  delivered: t('Delivered'),
  failed: t('Failed'),
  pending: t('Pending'),
  retrying: t('Retrying'),
});

export function deliveryWords(state: DeliveryState): string {
  return deliveryNames()[state];
}

export const DELIVERY_MOODS = {
  delivered: 'good',
  failed: 'bad',
  pending: 'plain',
  retrying: 'plain',
} as const;

/** What the receiver responded, in a line. */
export function attemptLine({ status, problem }: ListedAttempt): string {
  if (problem === undefined) return t('Response {status}', { status: status ?? '' }).trim();
  return status === undefined || problem.includes(String(status))
    ? problem
    : `${problem} (${status})`;
}

/** What became of an answer in the response; undefined if it held none. */
export function answerLine({ answer }: ListedAttempt): string | undefined {
  if (answer === undefined) return undefined;
  return answer === 'accepted'
    ? t('The response answered the request.')
    : t('The answer in the response was refused: {answer}.', { answer });
}

/** A test and a delivery that still waits cannot be sent again. */
export function canRedeliver({ status, seq }: Delivery): boolean {
  return status !== 'pending' && seq !== undefined;
}
