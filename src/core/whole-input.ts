/**
 * The input of a tool call that is too large for a record, or that only text carries without loss: its text, which the
 * session stores beside the record, and the view of it that the record has in its place.
 *
 * The view is made here and never by an agent, so it cannot differ from the input where it shows something. It is the same
 * value with the middle of long texts left out; each gap says how many characters it hides. An input that has its size in
 * many small values has no such view, so its JSON text is cut instead. Digests cover the whole input by its SHA-256.
 */
import { countBytes, fitsInBytes } from '../protocol/bytes.ts';
import { canonicalize } from '../protocol/canonical-json.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { WholeInput } from '../protocol/schema/interaction.ts';
import { sha256Hex } from './digest.ts';

export interface HeldInput {
  /** Canonical JSON. */
  readonly text: string;
  readonly view: JsonObject;
  readonly fact: WholeInput;
}

export function holdInput(input: JsonObject): HeldInput {
  const text = canonicalize(input);
  const cut = viewWithin(input);
  return cut === undefined ? holdText(text) : describeHeld(text, cut);
}

/** An input that is known by its text alone. */
export function holdText(text: string): HeldInput {
  const cut = viewWithin({ [AS_TEXT]: text });
  if (cut === undefined) throw new Error('A text of 256 characters is too large for a view');
  const { fact, ...held } = describeHeld(text, cut);
  return { ...held, fact: { ...fact, isText: true } };
}

function describeHeld(text: string, { view, hiddenChars }: CutValue): HeldInput {
  return { text, view, fact: { bytes: countBytes(text), sha256: sha256Hex(text), hiddenChars } };
}

/** A reported call has such an input as a view alone: whatever is asked about it stores the input. */
export function callPayload(
  toolName: string,
  input: JsonObject,
  inputText?: string,
): { toolName: string; input: JsonObject; wholeInput?: WholeInput } {
  const isHeld = inputText !== undefined || !fitsInBytes(JSON.stringify(input), LIMITS.bodyBytes);
  if (!isHeld) return { toolName, input };
  const { view, fact } = inputText === undefined ? holdInput(input) : holdText(inputText);
  return { toolName, input: view, wholeInput: fact };
}

/** Longer texts are cut to this length, or to the next that makes the view small enough. */
const KEPT_CHARS = [32_768, 16_384, 8_192, 4_096, 2_048, 1_024, 512, 256] as const;
/** Files begin with what they are; three quarters of what is kept are the beginning. */
const HEAD_SHARE = 0.75;
const AS_TEXT = 'input as JSON text';

interface CutValue {
  readonly view: JsonObject;
  readonly hiddenChars: number;
}

/** Undefined for a value whose texts are not what makes it large. */
function viewWithin(value: JsonObject): CutValue | undefined {
  for (const keptChars of KEPT_CHARS) {
    const cut = { hiddenChars: 0 };
    const view = cutLongTexts(value, keptChars, cut) as JsonObject;
    if (countBytes(JSON.stringify(view)) <= LIMITS.inputViewBytes) return { view, ...cut };
  }
  return undefined;
}

function cutLongTexts(value: Json, keptChars: number, cut: { hiddenChars: number }): Json {
  if (typeof value === 'string') return cutLongText(value, keptChars, cut);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cutLongTexts(item, keptChars, cut));
  // `fromEntries` defines properties: a field called `__proto__` stays a field.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cutLongTexts(member, keptChars, cut)]),
  );
}

function cutLongText(text: string, keptChars: number, cut: { hiddenChars: number }): string {
  if (text.length <= keptChars) return text;
  const headChars = Math.floor(keptChars * HEAD_SHARE);
  const head = text.slice(0, headChars).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(headChars - keptChars).replace(/^[\uDC00-\uDFFF]/, '');
  const hidden = text.length - head.length - tail.length;
  cut.hiddenChars += hidden;
  return `${head}\n… ${hidden} characters are not shown here …\n${tail}`;
}
