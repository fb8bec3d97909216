/** What a person fills in about a target, the body of the request that it becomes, and what the server says of it. */
import { isObject, isText, type JsonObject } from '../../protocol/types.ts';
import { type FieldForm, parseFieldText, textOfField } from './field-text.ts';
import { settingFields, formTypeOf, type FormType, type SettingField } from './target-fields.ts';
import { eventNames, kindNames, type ListedTarget } from './targets.ts';
import { t } from './language.ts';

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
  /** Names with their values, a line each. */
  readonly labels: string;
}

export const FILTER_EVENTS = Object.keys(eventNames());
export const TARGET_KINDS = Object.keys(kindNames());

export function draftOf(target?: ListedTarget): TargetDraft {
  const { kinds = [], tools = [], sessions = '', labels } = target?.filter ?? {};
  const events = target?.events ?? ['*'];
  const isEveryEvent = events.includes('*');
  const type = formTypeOf(target?.type ?? '')?.type ?? 'webhook';
  const known = settingFields(type).map((field) => [field.path, listedText(target?.listed, field)]);
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
    labels: textOfField('pairs', labels),
  };
}

/** Empty for a secret, which is not listed. */
function listedText(listed: unknown, { path, form }: Pick<SettingField, 'path' | 'form'>): string {
  let value: unknown = listed;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  if (form !== undefined) return textOfField(form, value);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : '';
}

/** By the path of their setting, or the name of their field. */
export type DraftProblems = Readonly<Record<string, string>>;

/** The rules of settings are the server's; found here is only what needs no request. */
export function draftProblems(draft: TargetDraft, before?: ListedTarget): DraftProblems {
  const { type, isEveryEvent, events, labels } = draft;
  const found = settingFields(type).map((field) => [
    field.path,
    settingProblem(draft, field, before),
  ]);
  const labelled = parseFieldText('pairs', labels);
  return {
    ...Object.fromEntries(found.filter(([, problem]) => problem !== undefined)),
    ...(!isEveryEvent && events.length === 0 && { events: t('Choose at least one') }),
    ...(!labelled.ok && { labels: labelled.problem }),
  };
}

function settingProblem(
  draft: TargetDraft,
  { path, form, isSecret, isOptional }: SettingField,
  before: ListedTarget | undefined,
): string | undefined {
  const text = setting(draft, path);
  if (form !== undefined && text !== '') {
    const read = parseFieldText(form, text);
    return read.ok ? undefined : read.problem;
  }
  if (text !== '') return undefined;
  const header = setting(draft, 'provider.header');
  const isNewHeader = header !== listedText(before?.listed, { path: 'provider.header' });
  const hasProvider = setting(draft, 'provider.url') !== '';
  switch (path) {
    case 'provider.url': {
      const isMeant =
        setting(draft, 'provider.authorization') !== '' || (isNewHeader && header !== '');
      return isMeant ? t('Required') : undefined;
    }
    case 'provider.authorization':
      // A provider is replaced as a whole, and a stored credential would be lost with its header.
      return hasProvider && isNewHeader ? t('Write it again for the other header') : undefined;
    default:
      return isOptional || (isSecret && before !== undefined) ? undefined : t('Required');
  }
}

/** What the server says of fields that the form has, in their order. */
export function problemsOf(type: FormType, issues: unknown): DraftProblems {
  const found: Record<string, string> = {};
  const paths = [...settingFields(type).map(({ path }) => path), ...COMMON_FIELDS];
  const list: readonly unknown[] = Array.isArray(issues) ? issues : [];
  for (const field of paths) {
    const message = list.map((issue) => messageAbout(field, issue)).find(isText);
    if (message !== undefined) found[field] = asSentence(message);
  }
  return found;
}

const COMMON_FIELDS = ['name', 'events', 'tools', 'sessions', 'labels', 'audience'];

/** An issue may be about one part of a field, such as the second of several addresses. */
function messageAbout(field: string, issue: unknown): string | undefined {
  if (!isObject(issue) || !isText(issue['message']) || !isText(issue['path'])) return undefined;
  const path = issue['path'].replace(/^filter\./, '');
  return path === field || path.startsWith(`${field}.`) ? issue['message'] : undefined;
}

function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function setting({ settings }: TargetDraft, path: string): string {
  return (settings[path] ?? '').trim();
}

function namesIn(text: string): readonly string[] {
  return text.split(',').flatMap((name) => name.trim() || []);
}

function targetFilter(
  { kinds, tools, sessions, labels }: TargetDraft,
  before?: ListedTarget,
): JsonObject | null {
  const names = namesIn(tools);
  const listed = before?.filter.labels;
  const isUntouched = labels === textOfField('pairs', listed);
  const wanted = isUntouched ? listed : valueOfText('pairs', labels);
  const filter = {
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(names.length > 0 && { tools: [...names] }),
    ...(sessions.trim() !== '' && { sessions: sessions.trim() }),
    ...(wanted !== undefined && { labels: wanted }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

/** Undefined for no value, and for a text that `draftProblems` reports. */
function valueOfText(form: FieldForm, text: string): JsonObject | undefined {
  const read = parseFieldText(form, text);
  return read.ok && Object.keys(read.value).length > 0 ? read.value : undefined;
}

/** An untouched setting is left out, and null removes one; a new target has no settings before. */
function optional(draft: TargetDraft, path: string, before?: ListedTarget): JsonObject {
  const { form } = settingFields(draft.type).find((field) => field.path === path) ?? {};
  const text = setting(draft, path);
  if (text === listedText(before?.listed, { path, ...(form && { form }) }).trim()) return {};
  return { [path]: (form === undefined ? text : valueOfText(form, text)) || null };
}

/** A secret that was left empty is not among them. */
function settingsOf(draft: TargetDraft, before?: ListedTarget): JsonObject {
  const text = (path: string) => setting(draft, path);
  const secret = (path: string) => (text(path) === '' ? {} : { [path]: text(path) });
  switch (draft.type) {
    case 'webhook':
      return { url: text('url') };
    case 'slack':
      return {
        ...secret('botToken'),
        ...secret('signingSecret'),
        channel: text('channel'),
        ...optional(draft, 'people', before),
        ...optional(draft, 'apiUrl', before),
      };
    case 'mail':
      return {
        to: [...namesIn(text('to'))],
        from: text('from'),
        retire: draft.retire,
        ...optional(draft, 'template', before),
      };
  }
}

/** Undefined for the mail binding of the deployment. */
function providerOf(draft: TargetDraft): JsonObject | undefined {
  const url = setting(draft, 'provider.url');
  const authorization = setting(draft, 'provider.authorization');
  const header = setting(draft, 'provider.header');
  if (draft.type !== 'mail' || url === '') return undefined;
  return {
    url,
    ...(authorization !== '' && { authorization }),
    ...(header !== '' && { header }),
  };
}

export function creationOf(draft: TargetDraft): JsonObject {
  const { type, isEveryEvent, events } = draft;
  const filter = targetFilter(draft);
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
    ...settingsOf(draft, before),
    ...providerChange(draft, before),
    name: draft.name.trim() || null,
    events: draft.isEveryEvent ? ['*'] : [...draft.events],
    filter: targetFilter(draft, before),
    audience: draft.audience.trim() || null,
  };
}

/** A provider is replaced as a whole, so an untouched one is left out: its credential, which is not listed, would be lost. */
function providerChange(draft: TargetDraft, { listed }: ListedTarget): JsonObject {
  const provider = providerOf(draft);
  const isUntouched = ['provider.url', 'provider.header'].every(
    (path) => setting(draft, path) === listedText(listed, { path }),
  );
  if (isUntouched && provider?.['authorization'] === undefined) return {};
  return { provider: provider ?? null };
}

export function toggle(list: readonly string[], one: string): readonly string[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}
