/**
 * Which reported tool call a request belongs to that knows no tool call id.
 *
 * Words decide: runs of letters and digits, in lower case, with camelCase split. A name of several words must appear as
 * neighbors in order, so `ask` is not in `task`, and `holdpoint ask` is the tool `holdpoint_ask`. All texts of the call's
 * input are read, and its tool name, but not the keys of the input.
 *
 * A call that has the whole command of the request is a sure match. Another call that has its tool or plugin may be the
 * right one, because a shell changes a command before it runs it; that call is chosen only when the request can wait no
 * longer. Then, without any such call, the newest call of a shell is chosen. A request never takes the call that fits
 * another request better.
 */
import type { Correlate, Correlated } from '../protocol/schema/correlate.ts';
import type { EventOf } from '../protocol/schema/event.ts';
import { splitWords, textsOfInput } from '../protocol/words.ts';
import { canonicalize } from '../protocol/canonical-json.ts';
import { sha256Hex } from './digest.ts';

const TOOL = 3;
const PLUGIN = 2;
const OPERATION = 1;
/** Above every score by words: the tool name and every byte of the input agree. */
const EXACT_INPUT = TOOL + PLUGIN + OPERATION + 1;

const SHELLS = ['bash', 'shell', 'terminal'];

export interface ReportedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly at: number;
  readonly turnId?: string;
  readonly responseId?: string;
  /** The words of the tool name and of each text of the input; a space stands on both sides of every word. */
  readonly texts: readonly string[];
  readonly inputDigest: string;
}

export interface WaitingRequest {
  readonly correlate: Correlate;
  /** It waits no longer. */
  readonly isDue: boolean;
}

/** Without a call the request opens with an id of its own. */
export interface Choice<Request extends WaitingRequest> {
  readonly request: Request;
  readonly found?: { readonly call: ReportedCall; readonly correlated: Correlated };
}

export function describeCall(event: EventOf<'tool_call'>): ReportedCall {
  const { at, turnId, responseId, toolCallId = '', payload } = event;
  return {
    toolCallId,
    toolName: payload.toolName,
    at,
    ...(turnId !== undefined && { turnId }),
    ...(responseId !== undefined && { responseId }),
    texts: [payload.toolName, ...textsOfInput(payload.input)].map(wordsOf),
    inputDigest: payload.wholeInput?.sha256 ?? sha256Hex(canonicalize(payload.input)),
  };
}

/** The words of a text, each between two spaces: one text then has the words of another if it contains it. */
export function wordsOf(text: string): string {
  const words = splitWords(text);
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}

/** How well a call fits a request; the fields in the order in which they count. */
interface Fit {
  readonly by: 'words' | 'input';
  readonly score: number;
  /** How many different words of the command the call has. */
  readonly found: number;
  /** Where the call has the whole command: the other words beside it. `deploy` is not `deploy --force`. */
  readonly others: number;
  /** The request need not wait for a better call. */
  readonly isSure: boolean;
}

/** The words of one description, made once: each new call is compared with each waiting request. */
interface Wanted {
  readonly tool: string;
  readonly plugin: string;
  readonly operation: string;
  readonly command: string;
  readonly commandWords: ReadonlySet<string>;
  /** Null if the call cannot be the one. Every commit looks at all pairs again. */
  readonly fits: WeakMap<ReportedCall, Fit | null>;
}

const WANTED = new WeakMap<Correlate, Wanted>();

/** Undefined if the call cannot be the one. */
export function fitOf(correlate: Correlate, call: ReportedCall): Fit | undefined {
  const wanted = WANTED.get(correlate) ?? wantedBy(correlate);
  WANTED.set(correlate, wanted);
  const known = wanted.fits.get(call);
  if (known !== undefined) return known ?? undefined;
  const fit =
    'inputDigest' in correlate ? compareInput(correlate, call) : compareWords(wanted, call);
  wanted.fits.set(call, fit ?? null);
  return fit;
}

function wantedBy(correlate: Correlate): Wanted {
  const {
    tool = '',
    plugin = '',
    operation = '',
    command = '',
  } = 'inputDigest' in correlate ? {} : correlate;
  const words = wordsOf([command].flat().join(' '));
  return {
    tool: wordsOf(tool),
    plugin: wordsOf(plugin),
    operation: wordsOf(operation),
    command: words,
    commandWords: new Set(words.trim().split(' ')),
    fits: new WeakMap(),
  };
}

function compareInput(
  { toolName, inputDigest }: Extract<Correlate, { inputDigest: string }>,
  call: ReportedCall,
): Fit | undefined {
  if (toolName !== call.toolName || inputDigest !== call.inputDigest) return undefined;
  return { by: 'input', score: EXACT_INPUT, found: 0, others: 0, isSure: true };
}

function compareWords(wanted: Wanted, call: ReportedCall): Fit | undefined {
  const { tool, plugin, operation, command, commandWords } = wanted;
  const named = (hasWords(call, tool) ? TOOL : 0) + (hasWords(call, plugin) ? PLUGIN : 0);
  if (named === 0) return undefined;
  const score = named + (hasWords(call, operation) ? OPERATION : 0);
  if (command === '') return { by: 'words', score, found: 0, others: 0, isSure: true };
  const whole = call.texts.filter((text) => text.includes(command)).map(countWords);
  const others = whole.length === 0 ? Infinity : Math.min(...whole) - countWords(command);
  const found = countShared(commandWords, call.texts);
  return { by: 'words', score, found, others, isSure: whole.length > 0 };
}

function hasWords({ texts }: ReportedCall, words: string): boolean {
  return words !== '' && texts.some((text) => text.includes(words));
}

function countWords(text: string): number {
  return text.trim().split(' ').length;
}

function countShared(wanted: ReadonlySet<string>, texts: readonly string[]): number {
  const shared = texts.flatMap((text) => text.trim().split(' ')).filter((one) => wanted.has(one));
  return new Set(shared).size;
}

/**
 * What is decided now; the other requests go on waiting. Both lists begin with the oldest. The calls are those that may
 * still be taken.
 */
export function chooseCalls<Request extends WaitingRequest>(
  requests: readonly Request[],
  calls: readonly ReportedCall[],
): Choice<Request>[] {
  const pairs = pairCalls(requests, calls);
  const isPaired = new Set([...pairs.values()].map(({ call }) => call));
  const shells = calls.filter((call) => runsShell(call) && !isPaired.has(call));
  return requests.flatMap((request) => {
    const pair = pairs.get(request);
    if (!request.isDue && pair?.fit.isSure !== true) return [];
    if (pair !== undefined) {
      const { call, fit } = pair;
      return [{ request, found: { call, correlated: { by: fit.by, score: fit.score } } }];
    }
    const shell = 'inputDigest' in request.correlate ? undefined : shells.pop();
    if (shell === undefined) return [{ request }];
    return [{ request, found: { call: shell, correlated: { by: 'shell', score: 0 } } }];
  });
}

interface Pair<Request> {
  readonly request: Request;
  readonly call: ReportedCall;
  readonly fit: Fit;
}

/** The best pair first; each request and each call is in one pair at most. */
function pairCalls<Request extends WaitingRequest>(
  requests: readonly Request[],
  calls: readonly ReportedCall[],
): Map<Request, Pair<Request>> {
  const possible = calls.flatMap((call) =>
    requests.flatMap((request): Pair<Request>[] => {
      const fit = fitOf(request.correlate, call);
      return fit === undefined ? [] : [{ request, call, fit }];
    }),
  );
  const pairs = new Map<Request, Pair<Request>>();
  const taken = new Set<ReportedCall>();
  // The sort is stable: of equal pairs the oldest call comes first, with the oldest request.
  for (const pair of possible.toSorted(compareFits)) {
    if (taken.has(pair.call) || pairs.has(pair.request)) continue;
    taken.add(pair.call);
    pairs.set(pair.request, pair);
  }
  return pairs;
}

function compareFits({ fit: a }: Pair<unknown>, { fit: b }: Pair<unknown>): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.found !== b.found) return b.found - a.found;
  // Infinity minus Infinity is no order.
  return a.others === b.others ? 0 : a.others - b.others;
}

function runsShell({ texts }: ReportedCall): boolean {
  const [name = ''] = texts;
  return SHELLS.some((shell) => name.includes(` ${shell} `));
}
