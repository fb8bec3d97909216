/**
 * A tool input that strict JSON refuses because other programs could read it as another value: a name such as `constructor`,
 * or a number that a double does not hold. It is carried as text, in which nothing is lost, and never as a value.
 *
 * Everything else of the body must be strict JSON, and so must the input in every other respect. The text is canonical
 * JSON (RFC 8785), with each number that a double does not hold as its sender wrote it.
 */
import { canonicalize } from './canonical-json.ts';
import { checkJson, isExactNumber, type Json, type JsonObject, parseJson } from './json.ts';
import { isObject } from './types.ts';

export interface LiftedInput {
  /** The body with an empty object as the input. */
  readonly value: JsonObject;
  readonly inputText: string;
}

/** A number that a double does not hold. */
class WrittenNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type WithSource = (text: string, reviver: Reviver) => unknown;
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
type WriteRaw = (source: string) => unknown;

/** Undefined in Node before 21, where no program can read a number as it was written. */
const writeRaw = (JSON as { readonly rawJSON?: WriteRaw }).rawJSON;

/** `path` leads to the member that may hold the input. Undefined where the body has another fault. */
export function liftOddInput(
  text: string,
  path: readonly string[],
  maxNodes: number,
): LiftedInput | undefined {
  if (writeRaw === undefined) return undefined;
  if (!parseJson(text, { maxNodes, takesOddValues: true }).ok) return undefined;
  const body = reviveNumbers(text, (source) => new WrittenNumber(source));
  const lifted = takeOut(body, path);
  // A `WrittenNumber` is no plain object, so the check refuses it.
  if (lifted === undefined || !checkJson(lifted.rest).ok) return undefined;
  return { value: lifted.rest as JsonObject, inputText: writeOdd(lifted.input) };
}

/** The value of such a text. `JSON.stringify` writes it without loss; nothing else may read a number of it. */
export function readOddInput(inputText: string): JsonObject {
  return reviveNumbers(inputText, (source) => writeRaw?.(source)) as JsonObject;
}

/** The same with plain numbers, for a program whose numbers are doubles; undefined where one of them is not the number in the text. */
export function readOddDoubles(inputText: string): JsonObject | undefined {
  let isKept = true;
  const value = (JSON.parse as WithSource)(inputText, (_key, member, context) => {
    if (typeof member === 'number' && context?.source !== String(member)) isKept = false;
    return member;
  });
  return isKept ? (value as JsonObject) : undefined;
}

function reviveNumbers(text: string, keep: WriteRaw): unknown {
  return (JSON.parse as WithSource)(text, (_key, value, context) => {
    if (typeof value !== 'number' || context?.source === undefined) return value;
    return isExactNumber(context.source) ? value : keep(context.source);
  });
}

interface SplitBody {
  readonly rest: unknown;
  readonly input: object;
}

/** A copy of the objects on the way, with an empty object at its end. */
function takeOut(value: unknown, path: readonly string[]): SplitBody | undefined {
  if (!isObject(value) || value instanceof WrittenNumber) return undefined;
  const [name, ...further] = path;
  if (name === undefined) return { rest: {}, input: value };
  const member = Object.hasOwn(value, name) ? takeOut(value[name], further) : undefined;
  return member && { rest: { ...value, [name]: member.rest }, input: member.input };
}

function writeOdd(value: unknown): string {
  if (value instanceof WrittenNumber) return value.source;
  if (Array.isArray(value)) return `[${value.map(writeOdd).join(',')}]`;
  if (!isObject(value)) return canonicalize(value as Json);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${canonicalize(key)}:${writeOdd(member)}`);
  return `{${members.join(',')}}`;
}
