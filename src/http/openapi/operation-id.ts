/**
 * The name generated clients give an operation, from its method and path: `listSessionInteractions`,
 * `answerSessionInteraction`. A published name stays, so the derivation is stable and the few names
 * it would get wrong are given.
 */
import type { Method } from '../route.ts';

const GIVEN: Readonly<Record<string, string>> = {
  'GET /v1/inbox': 'getInbox',
  'POST /sessions/:id/interactions': 'openSessionInteraction',
  'POST /sessions/:id/events': 'appendSessionEvents',
  'POST /sessions/:id/messages': 'sendSessionMessage',
  'POST /sessions/:id/submit-answers': 'submitAnswers',
  'POST /sessions/:id/approve': 'approveTool',
  'POST /sessions/:id/deny': 'denyTool',
};

const ON_ONE = { GET: 'get', POST: 'post', PUT: 'set', PATCH: 'update', DELETE: 'delete' } as const;
/** Words that end in s and still name one thing. */
const ONE_THING = new Set(['settings', 'docs']);

export function operationId(method: Method, path: string): string {
  const bare = path.replace(/^\/v1(?=\/)/, '');
  return GIVEN[`${method} ${path}`] ?? GIVEN[`${method} ${bare}`] ?? derived(method, bare);
}

function derived(method: Method, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const nouns = segments
    .map((word, index) => (isParameter(segments[index + 1]) ? singular(word) : word))
    .filter((word) => !isParameter(word));
  const last = nouns.at(-1) ?? '';
  const context = nouns.slice(0, -1).map(pascal).join('');
  const isMany = isPlural(last) && !isParameter(segments.at(-1));
  if (method === 'GET' && isMany) return `list${context}${pascal(last)}`;
  if (method !== 'POST') return `${ON_ONE[method]}${context}${pascal(last)}`;
  if (isMany) return `create${context}${pascal(singular(last))}`;
  const verb = pascal(last);
  return `${verb.charAt(0).toLowerCase()}${verb.slice(1)}${context}`;
}

function isParameter(segment: string | undefined): boolean {
  return segment?.startsWith(':') === true;
}

function isPlural(word: string): boolean {
  return /[^s]s$/.test(word) && !ONE_THING.has(word);
}

function singular(word: string): string {
  return isPlural(word) ? word.slice(0, -1) : word;
}

function pascal(words: string): string {
  return words
    .split(/[^a-zA-Z0-9]+/)
    .map(capitalized)
    .join('');
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
