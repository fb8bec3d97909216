/**
 * A tool input that strict JSON refuses because other programs could read it as another value: a name such as `constructor`,
 * or a number that a double does not hold. It is carried as text, in which nothing is lost, and never as a value.
 *
 * Everything else of the body must be strict JSON, and so must the input in every other respect. The text is canonical
 * JSON (RFC 8785), with each number that a double does not hold as its sender wrote it.
 */
import { canonicalize } from '../protocol/canonical-json.ts';
import { isObject } from '../protocol/guards.ts';
import {
  checkJson,
  isExactNumber,
  type Json,
  type JsonObject,
  parseJson,
} from '../protocol/json.ts';

interface LiftedInput {
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

/** Undefined where the body has another fault. */
export function liftOddInput(
  text: string,
  member: string,
  maxNodes: number,
): LiftedInput | undefined {
  if (!parseJson(text, { maxNodes, takesOddValues: true }).ok) return undefined;
  const body = (JSON.parse as WithSource)(text, keepWrittenNumber);
  if (!isObject(body)) return undefined;
  const { [member]: input, ...rest } = body as Readonly<Record<string, unknown>>;
  if (!isObject(input) || input instanceof WrittenNumber) return undefined;
  // A `WrittenNumber` is no plain object, so the check refuses it.
  if (!checkJson(rest).ok) return undefined;
  return { value: { ...(rest as JsonObject), [member]: {} }, inputText: write(input) };
}

const keepWrittenNumber: Reviver = (_key, value, context) => {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return isExactNumber(context.source) ? value : new WrittenNumber(context.source);
};

function write(value: unknown): string {
  if (value instanceof WrittenNumber) return value.source;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (!isObject(value)) return canonicalize(value as Json);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${canonicalize(key)}:${write(member)}`);
  return `{${members.join(',')}}`;
}
