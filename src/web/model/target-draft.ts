/** What a person fills in about a target, the body of the request that it becomes, and what the server says of it. */
import { isObject, isText } from '../../protocol/guards.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { fieldsOf, formTypeOf, type FormType } from './target-fields.ts';
import { EVENT_WORDS, KIND_WORDS, type ListedTarget, type ListedFilter } from './targets.ts';

export interface TargetDraft {
  readonly type: FormType;
  /** By the path of their field; those of the other types stay, for a person who looks at another type. */
  readonly settings: Readonly<Record<string, string>>;
  /** A second mail says how a request ended. */
  readonly retire: boolean;
  readonly name: string;
  readonly isEveryEvent: boolean;
  readonly events: readonly string[];
  readonly kinds: readonly string[];
  /** Names, separated by commas. */
  readonly tools: string;
  readonly sessions: string;
  readonly audience: string;
  /** No field shows it; a change of the filter keeps it. */
  readonly labels: ListedFilter['labels'];
}

export const FILTER_EVENTS = Object.keys(EVENT_WORDS);
export const FILTER_KINDS = Object.keys(KIND_WORDS);

export function draftOf(target?: ListedTarget): TargetDraft {
  const { kinds = [], tools = [], sessions = '', labels } = target?.filter ?? {};
  const events = target?.events ?? ['*'];
  const isEveryEvent = events.includes('*');
  const type = formTypeOf(target?.type ?? '')?.type ?? 'webhook';
  const known = fieldsOf(type).map(({ path }) => [path, listedText(target?.listed, path)]);
  return {
    type,
    settings: Object.fromEntries(known),
    retire: target?.listed['retire'] === true,
    name: target?.name ?? '',
    isEveryEvent,
    events: isEveryEvent ? ['interaction.requested', 'interaction.resolved'] : events,
    kinds,
    tools: tools.join(', '),
    sessions,
    audience: target?.audience ?? '',
    labels,
  };
}

/** Empty for a secret, which is not listed. */
function listedText(listed: unknown, path: string): string {
  let value: unknown = listed;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : '';
}

/** By the path of their setting, or the name of their field. */
export type DraftProblems = Readonly<Record<string, string>>;

/** The rules of settings are the server's; found here is only what needs no request. */
export function draftProblems(draft: TargetDraft, { isNew }: { isNew: boolean }): DraftProblems {
  const { type, isEveryEvent, events } = draft;
  const missing = fieldsOf(type).flatMap(({ path, isSecret, isOptional }) => {
    const isNeeded =
      path === 'provider.url' ? setting(draft, 'provider.authorization') !== '' : !isOptional;
    return isNeeded && (isNew || !isSecret) && setting(draft, path) === '' ? [path] : [];
  });
  return {
    ...Object.fromEntries(missing.map((path) => [path, 'Required'])),
    ...(!isEveryEvent && events.length === 0 && { events: 'Choose at least one' }),
  };
}

/** What the server says of fields that the form has, in their order. */
export function problemsOf(type: FormType, issues: unknown): DraftProblems {
  const found: Record<string, string> = {};
  const paths = [...fieldsOf(type).map(({ path }) => path), ...COMMON_FIELDS];
  const list: readonly unknown[] = Array.isArray(issues) ? issues : [];
  for (const field of paths) {
    const message = list.map((issue) => messageAbout(field, issue)).find(isText);
    if (message !== undefined) found[field] = sentence(message);
  }
  return found;
}

const COMMON_FIELDS = ['name', 'events', 'tools', 'sessions', 'audience'];

/** An issue may be about one part of a field, such as the second of several addresses. */
function messageAbout(field: string, issue: unknown): string | undefined {
  if (!isObject(issue) || !isText(issue['message']) || !isText(issue['path'])) return undefined;
  const path = issue['path'].replace(/^filter\./, '');
  return path === field || path.startsWith(`${field}.`) ? issue['message'] : undefined;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function setting({ settings }: TargetDraft, path: string): string {
  return (settings[path] ?? '').trim();
}

function namesIn(text: string): readonly string[] {
  return text.split(',').flatMap((name) => name.trim() || []);
}

function filterOf({ kinds, tools, sessions, labels }: TargetDraft): JsonObject | null {
  const names = namesIn(tools);
  const filter = {
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(names.length > 0 && { tools: [...names] }),
    ...(sessions.trim() !== '' && { sessions: sessions.trim() }),
    ...(labels !== undefined && { labels }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

/** A secret that was left empty is not among them. */
function settingsOf(draft: TargetDraft): JsonObject {
  const text = (path: string) => setting(draft, path);
  const secret = (path: string) => (text(path) === '' ? {} : { [path]: text(path) });
  switch (draft.type) {
    case 'webhook':
      return { url: text('url') };
    case 'slack':
      return { ...secret('botToken'), ...secret('signingSecret'), channel: text('channel') };
    case 'mail':
      return { to: [...namesIn(text('to'))], from: text('from'), retire: draft.retire };
  }
}

/** Undefined for the mail binding of the deployment. */
function providerOf(draft: TargetDraft): JsonObject | undefined {
  const url = setting(draft, 'provider.url');
  const authorization = setting(draft, 'provider.authorization');
  if (draft.type !== 'mail' || url === '') return undefined;
  return { url, ...(authorization !== '' && { authorization }) };
}

export function creationOf(draft: TargetDraft): JsonObject {
  const { type, isEveryEvent, events } = draft;
  const filter = filterOf(draft);
  const provider = providerOf(draft);
  const name = draft.name.trim();
  const audience = draft.audience.trim();
  return {
    type,
    ...settingsOf(draft),
    ...(provider !== undefined && { provider }),
    ...(name !== '' && { name }),
    events: isEveryEvent ? ['*'] : [...events],
    ...(filter !== null && { filter }),
    ...(audience !== '' && { audience }),
  };
}

/** Null removes what the person emptied. */
export function changesOf(draft: TargetDraft, before: ListedTarget): JsonObject {
  return {
    ...settingsOf(draft),
    ...providerChange(draft, before),
    name: draft.name.trim() || null,
    events: draft.isEveryEvent ? ['*'] : [...draft.events],
    filter: filterOf(draft),
    audience: draft.audience.trim() || null,
  };
}

/**
 * A provider is replaced as a whole, so an untouched one is left out: its credential, which is not listed, would be lost.
 * The name of its header has no field, and is kept.
 */
function providerChange(draft: TargetDraft, { listed }: ListedTarget): JsonObject {
  const provider = providerOf(draft);
  const url = listedText(listed, 'provider.url');
  if (provider === undefined) return url === '' ? {} : { provider: null };
  if (provider['url'] === url && provider['authorization'] === undefined) return {};
  const header = listedText(listed, 'provider.header');
  return { provider: { ...provider, ...(header !== '' && { header }) } };
}

export function toggle(list: readonly string[], one: string): readonly string[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}
