/** Reads the arguments of a command by its options, and explains what does not fit. */
import { parseArgs } from 'node:util';
import type { OptionSpec } from './cli-command.ts';
import { usageError } from './exit-code.ts';

/** An option as it stood, in order: `--option` belongs to the `--question` before it. */
export interface GivenOption {
  readonly name: string;
  readonly value: string | undefined;
}

export class Arguments {
  readonly positionals: readonly string[];
  /** The words after `--`. */
  readonly rest: readonly string[];
  readonly given: readonly GivenOption[];

  constructor(
    positionals: readonly string[],
    rest: readonly string[],
    given: readonly GivenOption[],
  ) {
    this.positionals = positionals;
    this.rest = rest;
    this.given = given;
  }

  has(name: string): boolean {
    return this.given.some((option) => option.name === name);
  }

  /** The last value that was given, as programs with options do. */
  text(name: string): string | undefined {
    return this.given.findLast((option) => option.name === name)?.value;
  }

  texts(name: string): string[] {
    return this.given.flatMap((option) =>
      option.name === name && option.value !== undefined ? [option.value] : [],
    );
  }

  /** A whole number, or undefined if the option is not there. */
  count(name: string, least = 1): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < least || text.trim() === '') {
      throw usageError(`--${name} ${text}: give a whole number from ${least}.`);
    }
    return value;
  }
}

export function readArguments(
  argv: readonly string[],
  options: Readonly<Record<string, OptionSpec>>,
): Arguments {
  const specs = Object.entries(options).map(([name, { type, short }]) => [
    name,
    { type, ...(short !== undefined && { short }) },
  ]);
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(specs) as Record<string, { type: 'string' | 'boolean' }>,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const rest: string[] = [];
  const given: GivenOption[] = [];
  let isRest = false;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') isRest = true;
    else if (token.kind === 'positional') (isRest ? rest : positionals).push(token.value);
    else given.push(checkOption(token, options));
  }
  return new Arguments(positionals, rest, given);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkOption(
  { name, rawName, value, inlineValue }: OptionToken,
  options: Readonly<Record<string, OptionSpec>>,
): GivenOption {
  const spec = Object.hasOwn(options, name) ? options[name] : undefined;
  if (spec === undefined)
    throw usageError(`There is no option ${rawName}.${suggest(name, options)}`);
  if (spec.type === 'boolean' && value !== undefined) {
    throw usageError(`${rawName} takes no value.`);
  }
  if (spec.type === 'string' && value === undefined) {
    throw usageError(`${rawName} needs a value: ${rawName} ${spec.value ?? 'TEXT'}.`);
  }
  // `--session --json` is a forgotten value; one that begins with a dash can be given as `--session=--json`.
  if (spec.type === 'string' && inlineValue === false && /^--[a-z]/.test(value ?? '')) {
    throw usageError(
      `${rawName} needs a value, and ${value} is an option. Write ${rawName}=${value} if it is the value.`,
    );
  }
  return { name, value };
}

function suggest(name: string, options: Readonly<Record<string, OptionSpec>>): string {
  const near = nearestName(name, Object.keys(options));
  return near === undefined ? '' : ` Did you mean --${near}?`;
}

/** The candidate with at most two edits, if there is one. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const [near] = candidates
    .map((candidate) => [candidate, countEdits(name, candidate)] as const)
    .filter(([, edits]) => edits <= 2)
    .toSorted(([, a], [, b]) => a - b);
  return near?.[0];
}

function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const same = other[column - 1] === letter ? 0 : 1;
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + same,
        ),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
