/**
 * Which entries of the inbox a person wants to see. The server and the page decide it alike: a page filters what it has,
 * and asks the server for what it has not.
 */
import type { StoredAudience } from './schema/audience.ts';
import type { InboxEntry } from './schema/workspace.ts';
import { isShell } from './shell-tools.ts';
import { namedToolClass, type ToolClass } from './tool-class.ts';

/** What an approval may do, as far as the name of its tool tells. */
export type Risk = ToolClass | 'unknown';
export const RISKS: readonly Risk[] = ['read', 'edit', 'execute', 'unknown'];

/** Every part that is given must match. */
export interface InboxFilter {
  /** Words that are all in the tool, the session, the agent or the request. */
  readonly find?: string | undefined;
  readonly session?: string | undefined;
  /** The subject that asks. */
  readonly by?: string | undefined;
  readonly tool?: string | undefined;
  readonly kind?: string | undefined;
  readonly risk?: Risk | undefined;
  /** `name` or `name=value`, of the session. */
  readonly label?: string | undefined;
  /** Requests that the reader may answer. */
  readonly for?: 'me' | undefined;
}

/** The decisions that the filter cannot make by itself. */
export interface FilterFacts {
  readonly isAsked: (audience: StoredAudience) => boolean;
  /** The text of a request, in which words are looked for. */
  readonly textOf?: (request: object) => string;
}

/** Undefined where a person answers in words, and nothing runs by the answer itself. */
export function riskOf({
  kind,
  toolName,
}: Pick<InboxEntry, 'kind' | 'toolName'>): Risk | undefined {
  if (kind !== 'approval') return undefined;
  return namedToolClass(toolName) ?? (isShell(toolName) ? 'execute' : 'unknown');
}

export function matchesFilter(
  entry: InboxEntry,
  filter: InboxFilter,
  { isAsked, textOf = requestText }: FilterFacts,
): boolean {
  const { session, by, tool, kind, risk, label } = filter;
  return (
    (session === undefined || entry.sessionId === session) &&
    (by === undefined || entry.openedBy.subject === by) &&
    (tool === undefined || entry.toolName === tool) &&
    (kind === undefined || entry.kind === kind) &&
    (risk === undefined || riskOf(entry) === risk) &&
    (label === undefined || hasLabel(entry.sessionLabels ?? {}, label)) &&
    (filter.for === undefined || entry.audience === undefined || isAsked(entry.audience)) &&
    entryHasWords(entry, filter.find, textOf)
  );
}

function hasLabel(labels: Readonly<Record<string, string>>, label: string): boolean {
  const end = label.indexOf('=');
  if (end < 0) return Object.hasOwn(labels, label);
  const name = label.slice(0, end);
  return Object.hasOwn(labels, name) && labels[name] === label.slice(end + 1);
}

function entryHasWords(
  { toolName, sessionTitle, openedBy, request }: InboxEntry,
  find: string | undefined,
  textOf: (request: object) => string,
): boolean {
  const words = (find ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const around = `${toolName}\n${sessionTitle ?? ''}\n${openedBy.subject}`.toLowerCase();
  return words.every(
    (word) => around.includes(word) || (request !== null && textOf(request).includes(word)),
  );
}

/** Every text in a request, in small letters. */
export function requestText(request: object): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'number') texts.push(String(value));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(request);
  return texts.join('\n').toLowerCase();
}
