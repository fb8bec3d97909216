/**
 * Targets and their deliveries as the settings show them.
 *
 * A type of target that this page does not know is shown all the same, with its first line of address; fields that only
 * such a type has are left to the API.
 */
import { isObject } from '../../protocol/guards.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { textOfField } from './field-text.ts';
import { formTypeOf } from './target-fields.ts';

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

const TYPE_WORDS: Readonly<Record<string, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  mail: 'Mail',
  push: 'Device',
};

export function typeWords({ type, person }: Pick<ListedTarget, 'type' | 'person'>): string {
  const words = TYPE_WORDS[type] ?? type;
  return person === undefined ? words : `${words} of ${person}`;
}

/** Where the app of Slack sends what people press; undefined for other types. */
export function slackAddressOf(
  { type, id }: Pick<ListedTarget, 'type' | 'id'>,
  origin: string,
): string | undefined {
  return type === 'slack' ? `${origin}/v1/inbound/slack/${encodeURIComponent(id)}` : undefined;
}

export const EVENT_WORDS: Readonly<Record<string, string>> = {
  'interaction.requested': 'Request opened',
  'interaction.updated': 'Request changed',
  'interaction.resolved': 'Request decided',
  'interaction.reminder': 'Reminder',
  'interaction.escalated': 'Escalated',
  'turn.ended': 'Turn ended',
  'session.created': 'Session created',
  'session.deleted': 'Session deleted',
};

export const KIND_WORDS: Readonly<Record<string, string>> = {
  approval: 'Approvals',
  question: 'Questions',
  plan_review: 'Plans',
  form: 'Forms',
  link: 'Links',
};

/** Also for a type of event that this page does not know. */
export function eventWords(type: string): string {
  return type === 'target.test' ? 'Test' : (EVENT_WORDS[type] ?? type);
}

export function eventsLine(events: readonly string[]): string {
  if (events.includes('*')) return 'Every event';
  const words = events.map(eventWords);
  return words.length > 3 ? `${words.length} kinds of event` : words.join(', ');
}

/** Undefined without a filter. */
export function filterLine({ kinds, tools, sessions, labels }: ListedFilter): string | undefined {
  const parts = [
    kinds && `Only ${kinds.map((kind) => (KIND_WORDS[kind] ?? kind).toLowerCase()).join(', ')}`,
    tools && `${kinds ? 'of' : 'Only of'} ${tools.join(', ')}`,
    sessions && `${kinds || tools ? 'in' : 'Only in'} sessions that begin with ${sessions}`,
    labels &&
      `${kinds || tools || sessions ? 'with' : 'Only with'} ${textOfField('pairs', labels).replaceAll('\n', ', ')}`,
  ].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : parts.join(' ');
}

export type TargetState = 'active' | 'paused' | 'disabled';

export function stateOf({ disabledAt, disabledBy }: ListedTarget): TargetState {
  if (disabledAt === null) return 'active';
  return disabledBy === 'failures' ? 'disabled' : 'paused';
}

export const STATE_WORDS: Readonly<Record<TargetState, string>> = {
  active: 'Active',
  paused: 'Paused',
  disabled: 'Disabled',
};

export const STATE_MOODS = { active: 'good', paused: 'plain', disabled: 'bad' } as const;

/** Why nothing is sent; undefined for an active target. */
export function stateReason(state: TargetState): string | undefined {
  switch (state) {
    case 'active':
      return undefined;
    case 'paused':
      return 'Paused by an administrator. New events are not sent, and not kept for later.';
    case 'disabled':
      return 'Disabled after three days of failures. New events are not sent, and not kept for later.';
  }
}

export type DeliveryState = 'delivered' | 'failed' | 'pending' | 'retrying';

export function deliveryState({ status, attempts }: Delivery): DeliveryState {
  if (status === 'delivered') return 'delivered';
  if (status === 'dead') return 'failed';
  return attempts === 0 ? 'pending' : 'retrying';
}

export const DELIVERY_WORDS: Readonly<Record<DeliveryState, string>> = {
  delivered: 'Delivered',
  failed: 'Failed',
  pending: 'Pending',
  retrying: 'Retrying',
};

export const DELIVERY_MOODS = {
  delivered: 'good',
  failed: 'bad',
  pending: 'plain',
  retrying: 'plain',
} as const;

/** What the receiver responded, in a line. */
export function attemptLine({ status, problem }: ListedAttempt): string {
  if (problem === undefined) return `Response ${status ?? ''}`.trim();
  return status === undefined || problem.includes(String(status))
    ? problem
    : `${problem} (${status})`;
}

/** What became of an answer in the response; undefined if it held none. */
export function answerLine({ answer }: ListedAttempt): string | undefined {
  if (answer === undefined) return undefined;
  return answer === 'accepted'
    ? 'The response answered the request.'
    : `The answer in the response was refused: ${answer}.`;
}

/** A test and a delivery that still waits cannot be sent again. */
export function canRedeliver({ status, seq }: Delivery): boolean {
  return status !== 'pending' && seq !== undefined;
}
