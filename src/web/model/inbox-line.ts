/** One request in one line: its subject, in the words that distinguish it from the next request. */
import { type Risk, riskOf } from '../../protocol/inbox-filter.ts';
import { isObject, type InboxEntry } from '../../protocol/types.ts';
import { t } from './language.ts';

const MAX_CHARS = 200;

/** The kinds that a list is filtered by. */
export const FILTER_KINDS = ['approval', 'question', 'plan_review', 'form', 'link'] as const;

export function kindWords(kind: string): string {
  switch (kind) {
    case 'approval':
      return t('Approval');
    case 'question':
      return t('Question');
    case 'plan_review':
      return t('Plan');
    case 'form':
      return t('Form');
    case 'link':
      return t('Link');
    default:
      return t('Request');
  }
}

/** For a row of a session; undefined where its requests are of several kinds. */
export function askedWords(kind: string | undefined): string | undefined {
  return kind === undefined ? undefined : kindWords(kind);
}

export function riskWords(risk: Risk): string {
  switch (risk) {
    case 'read':
      return t('Reads');
    case 'edit':
      return t('Edits files');
    case 'execute':
      return t('Runs commands');
    case 'unknown':
      return t('Other tool');
  }
}

/** The subject of a request: the effect of an approval, the question of the other kinds. */
export function classWords(entry: Pick<InboxEntry, 'kind' | 'toolName'>): string {
  const risk = riskOf(entry);
  return risk === undefined ? kindWords(entry.kind) : riskWords(risk);
}

/** Not escaped yet: it is text of an agent. */
export function firstLineOf({ kind, request }: Pick<InboxEntry, 'kind' | 'request'>): string {
  if (request === null) return t('Too long for the list');
  return cutLine(requestSubject(kind, request) ?? '');
}

function requestSubject(
  kind: string,
  request: Readonly<Record<string, unknown>>,
): string | undefined {
  switch (kind) {
    case 'approval':
      return isObject(request.input) ? inputSubject(request.input) : undefined;
    case 'question': {
      const [first, ...others] = Array.isArray(request.questions) ? request.questions : [];
      const text = isObject(first) ? lineText(first.question) : undefined;
      return others.length === 0
        ? text
        : t('{text} (and {count} more)', { text: text ?? '', count: others.length });
    }
    case 'plan_review':
      return lineText(request.plan)?.replace(/^[#\s]+/, '');
    default:
      return lineText(request.title) ?? lineText(request.message) ?? lineText(request.url);
  }
}

/** The fields in which tools name their target, and otherwise the first text. */
const SUBJECTS = ['command', 'file_path', 'path', 'url', 'query', 'pattern', 'to', 'name'];

function inputSubject(input: Readonly<Record<string, unknown>>): string | undefined {
  const named = SUBJECTS.map((name) => lineText(input[name])).find((text) => text !== undefined);
  if (named !== undefined) return named;
  const entries = Object.entries(input);
  const first = entries.map(([, value]) => lineText(value)).find((text) => text !== undefined);
  return first ?? (entries.length === 0 ? undefined : JSON.stringify(input));
}

function lineText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function cutLine(text: string): string {
  const whole = text.trim();
  const line = whole.split('\n', 1)[0] ?? '';
  const kept = line.slice(0, MAX_CHARS).replace(/[\uD800-\uDBFF]$/, '');
  return kept.length < whole.length ? `${kept} …` : kept;
}
