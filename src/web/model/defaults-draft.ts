/**
 * The defaults of a workspace as a form writes them. Settings that this form does not know are kept as they were read:
 * the server replaces all of them.
 */
import type { JsonObject } from '../../protocol/types.ts';
import { t } from './language.ts';

export const DEADLINE_KINDS = ['approval', 'question', 'plan_review', 'form', 'link'] as const;
type DeadlineKind = (typeof DEADLINE_KINDS)[number];

export interface DefaultsDraft {
  readonly deadlines: Readonly<Record<DeadlineKind, string>>;
  /** `''`: left to the deployment. */
  readonly selfApproval: '' | 'forbid' | 'allow';
  readonly mode: string;
  /** The rules as JSON. */
  readonly audiences: string;
  /** A line a model. */
  readonly prices: string;
}

export interface DefaultsProblems {
  readonly deadlines: Readonly<Partial<Record<DeadlineKind, string>>>;
  readonly audiences?: string;
  readonly prices?: string;
}

export function defaultsDraftOf(settings: JsonObject): DefaultsDraft {
  const timeouts = objectIn(settings['timeouts']);
  const forbids = settings['forbidSelfApproval'];
  const mode = settings['permissionMode'];
  const audiences = settings['audiences'];
  return {
    deadlines: mapKinds((kind) => writeDeadline(secondsIn(timeouts[kind]))),
    selfApproval: typeof forbids === 'boolean' ? (forbids ? 'forbid' : 'allow') : '',
    mode: typeof mode === 'string' ? mode : '',
    audiences: Array.isArray(audiences) ? JSON.stringify(audiences, null, 2) : '',
    prices: writePriceLines(settings['prices']),
  };
}

export function defaultsProblems(draft: DefaultsDraft): DefaultsProblems {
  const deadlines: Partial<Record<DeadlineKind, string>> = {};
  for (const kind of DEADLINE_KINDS) {
    const text = draft.deadlines[kind];
    if (text.trim() !== '' && readDeadline(text) === undefined) {
      deadlines[kind] = t('Write a time such as 10m, 2h or 1d, or none');
    }
  }
  const isList = readAudiences(draft.audiences) !== undefined;
  const lines = readPriceLines(draft.prices);
  return {
    deadlines,
    ...(!isList && { audiences: t('This is no list in JSON') }),
    ...(!lines.ok && {
      prices: t('Line {line}: write a model and two to four numbers, such as claude-sonnet 3 15', {
        line: lines.line,
      }),
    }),
  };
}

export function hasProblems({ deadlines, ...others }: DefaultsProblems): boolean {
  return Object.keys(others).length > 0 || Object.keys(deadlines).length > 0;
}

export function defaultsOf(draft: DefaultsDraft, before: JsonObject): JsonObject {
  const { forbidSelfApproval: _self, permissionMode: _mode, audiences: _rules, ...others } = before;
  const { prices: _prices, ...kept } = others;
  const timeouts: Record<string, number | null> = {};
  for (const [kind, seconds] of Object.entries(objectIn(before['timeouts']))) {
    const known = secondsIn(seconds);
    if (!DEADLINE_KINDS.some((one) => one === kind) && known !== undefined) timeouts[kind] = known;
  }
  for (const kind of DEADLINE_KINDS) {
    const seconds = readDeadline(draft.deadlines[kind]);
    if (seconds !== undefined) timeouts[kind] = seconds;
  }
  const audiences = readAudiences(draft.audiences) ?? [];
  const lines = readPriceLines(draft.prices);
  return {
    ...kept,
    timeouts,
    ...(draft.selfApproval !== '' && { forbidSelfApproval: draft.selfApproval === 'forbid' }),
    ...(draft.mode !== '' && { permissionMode: draft.mode }),
    ...(audiences.length > 0 && { audiences }),
    ...(lines.ok && lines.prices.length > 0 && { prices: lines.prices }),
  };
}

/** Undefined for a text that is no list; empty for no text. */
export function readAudiences(text: string): JsonObject[] | undefined {
  if (text.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as JsonObject[]) : undefined;
  } catch {
    return undefined;
  }
}

export interface AudienceRuleDraft {
  readonly tools: string;
  readonly kind: string;
  readonly subjects: string;
  readonly groups: string;
}

/** A rule for people and groups; names are separated by commas. Undefined while it names no one. */
export function audienceRuleOf({
  tools,
  kind,
  subjects,
  groups,
}: AudienceRuleDraft): JsonObject | undefined {
  const audience = {
    ...groupNamesIn('subjects', subjects),
    ...groupNamesIn('groups', groups),
  };
  if (Object.keys(audience).length === 0) return undefined;
  return { ...groupNamesIn('tools', tools), ...(kind !== '' && { kinds: [kind] }), audience };
}

function groupNamesIn(name: string, text: string): Record<string, string[]> {
  const names = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return names.length === 0 ? {} : { [name]: names };
}

function mapKinds(text: (kind: DeadlineKind) => string): Record<DeadlineKind, string> {
  return {
    approval: text('approval'),
    question: text('question'),
    plan_review: text('plan_review'),
    form: text('form'),
    link: text('link'),
  };
}

function objectIn(value: unknown): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}

function secondsIn(value: unknown): number | null | undefined {
  return typeof value === 'number' || value === null ? value : undefined;
}

/** Deadlines as people write them into a field: `10m`, `2h`, `1d`, `none`; empty leaves them to the deployment. */
const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const WITHOUT_DEADLINE = 'none';
const MAX_SECONDS = 365 * 86_400;

/** Seconds, null for no deadline; undefined for a text that is neither. */
function readDeadline(text: string): number | null | undefined {
  const written = text.trim().toLowerCase();
  if (written === WITHOUT_DEADLINE) return null;
  const [, count, unit = 'm'] = /^(\d{1,8}) ?([smhd])?$/.exec(written) ?? [];
  const seconds = Number(count) * (SECONDS_OF[unit] ?? 0);
  return seconds >= 1 && seconds <= MAX_SECONDS ? seconds : undefined;
}

function writeDeadline(seconds: number | null | undefined): string {
  if (seconds === undefined) return '';
  if (seconds === null) return WITHOUT_DEADLINE;
  const [unit, size] =
    Object.entries(SECONDS_OF).findLast(([, size]) => seconds >= size && seconds % size === 0) ??
    [];
  return unit === undefined || size === undefined ? `${seconds}s` : `${seconds / size}${unit}`;
}

const NUMBERS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
const NEEDED = 2;

export function writePriceLines(prices: unknown): string {
  const list: readonly unknown[] = Array.isArray(prices) ? prices : [];
  return list.map((one) => writeLine(one as JsonObject)).join('\n');
}

/** A left-out price of reading the cache cannot be written before one of writing to it, so it is written as `-`. */
function writeLine(price: JsonObject): string {
  const numbers = NUMBERS.map((name) => price[name]);
  const known = numbers.findLastIndex((one) => typeof one === 'number') + 1;
  const words = numbers.slice(0, known).map((one) => (typeof one === 'number' ? one : '-'));
  const { model } = price;
  return [typeof model === 'string' ? model : '', ...words].join(' ');
}

export type PriceLines =
  | { readonly ok: true; readonly prices: JsonObject[] }
  | { readonly ok: false; readonly line: number };

/**
 * The prices of models as an administrator writes them: a line a model, in US dollars for a million tokens.
 *
 * Empty lines count for nothing. `line` is the first that cannot be read, from 1.
 */
export function readPriceLines(text: string): PriceLines {
  const prices: JsonObject[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const price = readLine(line.trim().split(/\s+/));
    if (price === undefined) return { ok: false, line: at + 1 };
    prices.push(price);
  }
  return { ok: true, prices };
}

function readLine([model = '', ...words]: string[]): JsonObject | undefined {
  if (words.length < NEEDED || words.length > NUMBERS.length) return undefined;
  const price: Record<string, string | number> = { model };
  for (const [at, name] of NUMBERS.entries()) {
    const word = words[at];
    if (word === undefined || (word === '-' && at >= NEEDED)) continue;
    if (!/^\d+(\.\d+)?$/.test(word)) return undefined;
    price[name] = Number(word);
  }
  return price;
}
