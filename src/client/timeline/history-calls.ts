/**
 * The tool calls of an imported history, and which of them an interaction belongs to (ALN-2, ALN-3).
 *
 * An interaction whose call has another id in the transcript is matched by the words of its command, else by tool name; of
 * several calls the nearest in time is taken, and of two equally near ones the earlier.
 */
import { isObject, isText, type EventOf, type HistoryEntry } from '../../protocol/types.ts';
import { countInOrder, hasName, splitWords, wordsOfInput } from '../../protocol/words.ts';

export interface HistoryCall {
  /** Its place in the history. */
  readonly entry: number;
  readonly at: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly turnId: string | undefined;
  readonly responseId: string | undefined;
}

/** The entries with results of one call: the first one after the call, and the last. */
export interface HistoryResults {
  readonly first: number;
  readonly last: number;
}

export interface HistoryCalls {
  readonly calls: ReadonlyMap<string, HistoryCall>;
  /** Also of calls that the history does not have. */
  readonly results: ReadonlyMap<string, HistoryResults>;
}

/** `times` are those of the entries, none before the one in front of it. */
export function listCalls(
  history: readonly HistoryEntry[],
  times: readonly number[],
): HistoryCalls {
  const calls = new Map<string, HistoryCall>();
  const results = new Map<string, HistoryResults>();
  for (const [entry, one] of history.entries()) {
    if (one.type === 'tool_call' && !calls.has(one.toolCallId)) {
      const { toolCallId, turnId, responseId, payload } = one;
      const { toolName, input } = payload;
      const at = times[entry] ?? one.at;
      calls.set(toolCallId, { entry, at, toolCallId, toolName, input, turnId, responseId });
    }
    if (one.type !== 'tool_result') continue;
    const { first } = results.get(one.toolCallId) ?? {};
    const { entry: called = 0 } = calls.get(one.toolCallId) ?? {};
    const isFirst = first === undefined || first < called;
    results.set(one.toolCallId, { first: isFirst ? entry : first, last: entry });
  }
  return { calls, results };
}

type Request = EventOf<'interaction_request'>;

/** What a request says about its call. */
interface Signature {
  readonly at: number;
  readonly command: readonly string[];
  readonly toolNames: readonly string[];
  /** Names of several words, which a command line contains. */
  readonly commandNames: readonly (readonly string[])[];
}

/** Finds the calls of these requests by words. It reads the inputs of the calls once, at the first search. */
export class CallFinder {
  readonly #calls: readonly HistoryCall[];
  readonly #signatures: ReadonlyMap<Request, Signature>;
  #words: (readonly string[])[] | undefined;
  /** The calls that have a word of a request. */
  readonly #byWord = new Map<string, number[]>();

  constructor(calls: Iterable<HistoryCall>, requests: readonly Request[]) {
    this.#calls = [...calls];
    this.#signatures = new Map(requests.map((request) => [request, signatureOf(request)]));
  }

  find(request: Request): HistoryCall | undefined {
    const signature = this.#signatures.get(request);
    if (signature === undefined) return undefined;
    return this.#findByCommand(signature) ?? this.#findByName(signature);
  }

  #findByCommand({ at, command }: Signature): HistoryCall | undefined {
    if (command.length === 0) return undefined;
    return this.#nearest(at, this.#callsWith(command), (words) => {
      return countInOrder(words, command) === command.length;
    });
  }

  #findByName({ at, toolNames, commandNames }: Signature): HistoryCall | undefined {
    const candidates = new Set(commandNames.flatMap((name) => this.#callsWith(name)));
    for (const [number, { toolName }] of this.#calls.entries()) {
      if (toolNames.includes(toolName)) candidates.add(number);
    }
    return this.#nearest(
      at,
      [...candidates].sort((one, other) => one - other),
      (words, call) => {
        return (
          toolNames.includes(call.toolName) || commandNames.some((name) => hasName(words, name))
        );
      },
    );
  }

  #nearest(
    at: number,
    candidates: readonly number[],
    fits: (words: readonly string[], call: HistoryCall) => boolean,
  ): HistoryCall | undefined {
    let best: HistoryCall | undefined;
    for (const number of candidates) {
      const call = this.#calls[number] as HistoryCall;
      const isNearer = best === undefined || Math.abs(call.at - at) < Math.abs(best.at - at);
      if (isNearer && fits(this.#wordsOf(number), call)) best = call;
    }
    return best;
  }

  /** The calls that have the rarest of these words; all words are in none of the others. */
  #callsWith(words: readonly string[]): readonly number[] {
    this.#readInputs();
    let rarest: readonly number[] | undefined;
    for (const word of words) {
      const calls = this.#byWord.get(word) ?? [];
      if (rarest === undefined || calls.length < rarest.length) rarest = calls;
    }
    return rarest ?? [];
  }

  #wordsOf(number: number): readonly string[] {
    return this.#readInputs()[number] ?? [];
  }

  #readInputs(): readonly (readonly string[])[] {
    if (this.#words !== undefined) return this.#words;
    this.#words = this.#calls.map(({ toolName, input }) => [
      ...splitWords(toolName),
      '',
      ...wordsOfInput(input),
    ]);
    for (const { command, commandNames } of this.#signatures.values()) {
      for (const word of [...command, ...commandNames.flat()]) this.#byWord.set(word, []);
    }
    for (const [number, words] of this.#words.entries()) {
      for (const word of words) {
        const calls = this.#byWord.get(word);
        if (calls !== undefined && calls.at(-1) !== number) calls.push(number);
      }
    }
    return this.#words;
  }
}

function signatureOf({ at, payload }: Request): Signature {
  const given: Record<string, unknown> = isObject(payload.correlate) ? payload.correlate : {};
  const { command, plugin, operation, tool, toolName } = given;
  const toolNames = [payload.toolName, tool, toolName].filter(isText);
  const subcommand = isText(plugin) && isText(operation) ? [`${plugin} ${operation}`] : [];
  return {
    at,
    command: splitWords([command].flat().filter(isText).join(' ')),
    toolNames,
    // One word, such as `ask`, is in too many commands.
    commandNames: [...subcommand, ...toolNames].map(splitWords).filter(({ length }) => length > 1),
  };
}
