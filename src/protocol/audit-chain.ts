/**
 * The chain of an audit list, as the server writes it and as anyone can check it.
 *
 * The hash of an entry is SHA-256 over the canonical JSON of the entry with its `number` and with `previous`, the hash of
 * the entry before it. The first entry follows a hash of the workspace's name. A changed, removed, added or moved entry
 * breaks the chain at a number that the check names. A list that lost its end is still a chain: only a hash that was kept
 * elsewhere shows it. How SHA-256 is computed is the caller's part, because this room has no package.
 */
import { canonicalize } from './canonical-json.ts';
import type { Json, JsonObject } from './json.ts';

/** A stored text that is no JSON object is chained as it is, under this name. */
const UNREADABLE = 'unreadable';

/** An entry as an export has it: with `number`, `previous` and `hash` beside its own fields. */
export interface ChainedLine {
  readonly number: number;
  readonly previous: string;
  readonly hash: string;
  readonly line: JsonObject;
}

/** SHA-256 of a text, as lower-case hexadecimal, without a wait: it runs inside a transaction. */
export type HashNow = (text: string) => string;

/** What the first entry of a workspace follows. */
export function auditGenesis(workspace: string, hash: HashNow): string {
  return hash(`holdpoint/audit/v1\n${workspace}`);
}

/** The members of an entry, for any stored text. */
export function readAuditMembers(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { [UNREADABLE]: text };
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : { [UNREADABLE]: text };
}

export function hashAuditEntry(
  members: JsonObject,
  link: { readonly number: number; readonly previous: string },
  hash: HashNow,
): string {
  return hash(writeMembers({ ...members, ...link }));
}

/** Half of a surrogate pair or too deep a value has no canonical text, and must not stop the list. */
function writeMembers(members: JsonObject): string {
  try {
    return canonicalize(members);
  } catch {
    return JSON.stringify(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Undefined for a value that is no line of an export. */
export function readChainedLine(value: Json): ChainedLine | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { number, previous, hash } = value;
  const isLine =
    typeof number === 'number' && typeof previous === 'string' && typeof hash === 'string';
  return isLine ? { number, previous, hash, line: value } : undefined;
}

/** A hash of the list that was kept elsewhere. */
export interface AuditHead {
  readonly number: number;
  readonly hash: string;
}

/** Checks a chain line by line; it keeps one line, however long the list is. */
export class AuditChainCheck {
  readonly #hash: HashNow;
  readonly #genesis: string | undefined;
  readonly #kept: AuditHead | undefined;
  #head: AuditHead | undefined;
  #keptProblem: string | undefined;

  constructor(
    hash: HashNow,
    { genesis, kept }: { readonly genesis?: string | undefined; readonly kept?: AuditHead } = {},
  ) {
    this.#hash = hash;
    this.#genesis = genesis;
    this.#kept = kept;
    if (kept !== undefined) {
      this.#keptProblem = `Entry ${kept.number}, whose hash was kept, is missing: the list lost its end`;
    }
  }

  /** The last line that was checked. */
  get head(): AuditHead | undefined {
    return this.#head;
  }

  /** The first broken link, in a sentence; undefined while the chain holds. */
  checkNext({ number, previous, hash, line }: ChainedLine): string | undefined {
    const expected = (this.#head?.number ?? 0) + 1;
    if (number > expected) return missingNumbers(expected, number - 1);
    if (number < expected) return `Entry ${number} stands after entry ${expected - 1}`;
    const before = this.#head?.hash ?? this.#genesis;
    if (before !== undefined && previous !== before) {
      return number === 1
        ? 'Entry 1 begins the list of another workspace'
        : `Entry ${number} does not follow the entry before it`;
    }
    const { hash: _hash, ...members } = line;
    if (hashAuditEntry(members, { number, previous }, this.#hash) !== hash) {
      return `Entry ${number} was changed: its hash is of other contents`;
    }
    this.#head = { number, hash };
    if (number !== this.#kept?.number) return undefined;
    if (hash !== this.#kept.hash) return `Entry ${number} has another hash than the one kept`;
    this.#keptProblem = undefined;
    return undefined;
  }

  /** The fault of the list as a whole, after its last line. */
  checkEnd(): string | undefined {
    return this.#keptProblem;
  }
}

function missingNumbers(first: number, last: number): string {
  return first === last ? `Entry ${first} is missing` : `Entries ${first} to ${last} are missing`;
}
