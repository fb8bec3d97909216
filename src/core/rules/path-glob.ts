/**
 * Rules by the path of a file: `src/**`, `docs/*.md`, `/home/ann/app/**`.
 *
 * `*` and `?` stay within one name, `**` is any number of folders. Which folder an agent works in is its own word: it allows
 * nothing, so a relative pattern allows a relative path alone, and it only adds to what is denied. A path is allowed only in its plain form: without `.`, `..`, empty names, backslashes, colons or
 * characters that file systems read in several ways; hidden files need a pattern that names them, since an edit in `.git`
 * runs programs. To deny or to ask, the path is resolved first, and an odd one is unclear. Symbolic links cannot be seen
 * from here.
 */
import { deferPattern } from '../../protocol/defer-pattern.ts';
import type { Json } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Finding } from './match-rule.ts';

interface PathParts {
  readonly isAbsolute: boolean;
  readonly names: readonly string[];
}

const ODD_IN_PATH = deferPattern(String.raw`[\p{C}\p{Zl}\p{Zp}\\:]`, 'u');
/** Windows drops these at the end of a name. */
const DROPPED_END = /[. ]$/;
const NOT_IN_PATTERN = /[{}[\]!]/;
/** They hold no files: names in them lead anywhere else. */
const VIRTUAL_FOLDERS: ReadonlySet<string> = new Set(['proc', 'dev', 'sys']);

/** Why no rule can have this pattern; undefined for a good one. */
export function globProblem(glob: string): string | undefined {
  if (NOT_IN_PATTERN.test(glob)) return 'Use names, *, ? and **; no brackets or braces';
  const parts = splitPath(glob);
  if (parts === undefined || !isPlainPath(parts)) {
    return 'Use a plain path: no "..", no backslash, no empty names, no ~';
  }
  const isOdd = parts.names.some((name) => name.includes('**') && name !== '**');
  return isOdd ? 'Use ** as a name of its own, for example src/**' : undefined;
}

/** Whether a rule may allow the path: it is plain, within the pattern, and absolute if the pattern is. */
export function coversPath(glob: string, path: Json): boolean {
  const [pattern, given] = [splitPath(glob), splitPath(path)];
  if (pattern === undefined || given === undefined || !isPlainPath(given)) return false;
  if (pattern.isAbsolute !== given.isAbsolute || isVirtual(given)) return false;
  return matchNames(pattern.names, given.names, { hidden: false });
}

function isVirtual({ isAbsolute, names }: PathParts): boolean {
  return isAbsolute && VIRTUAL_FOLDERS.has(names[0] ?? '');
}

/** For denying and asking. */
export function findPath(glob: string, path: Json, folder?: string): Finding {
  if (typeof path !== 'string' || path.length > LIMITS.rulePathChars) return 'unclear';
  const pattern = foldedParts(glob);
  const given = foldedParts(path);
  const isOdd =
    !isPlainPath(splitPath(path) ?? given) ||
    ODD_IN_PATH().test(path) ||
    path.startsWith('~') ||
    isVirtual(given);
  const based = onOneBase(pattern, given, folder?.toLowerCase());
  if (based !== undefined) {
    const [wanted, full] = based;
    if (matchNames(wanted.names, full.names, { hidden: true })) return 'yes';
    // The agent may have named another folder than its own.
    const mayBeElsewhere = !pattern.isAbsolute && given.isAbsolute && isAnywhere(pattern, given);
    return isOdd || mayBeElsewhere ? 'unclear' : 'no';
  }
  // The folder is not known: a relative path may be anywhere, and a relative pattern may begin at any folder.
  return isOdd || isAnywhere(pattern, given) ? 'unclear' : 'no';
}

function isAnywhere(pattern: PathParts, given: PathParts): boolean {
  const ends = given.isAbsolute ? pattern.names : pattern.names.slice(-1);
  return matchNames(['**', ...ends], given.names, { hidden: true });
}

function splitPath(path: Json): PathParts | undefined {
  if (typeof path !== 'string' || path === '' || path.length > LIMITS.rulePathChars)
    return undefined;
  if (ODD_IN_PATH().test(path) || path.startsWith('~') || path !== path.normalize('NFC')) {
    return undefined;
  }
  const isAbsolute = path.startsWith('/');
  return { isAbsolute, names: (isAbsolute ? path.slice(1) : path).split('/') };
}

function isPlainPath({ names }: PathParts): boolean {
  return names.every((name) => name !== '' && !DROPPED_END.test(name));
}

/** As a lenient file system reads it. */
function foldedParts(path: string): PathParts {
  const text = path
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^[a-z]:/, '');
  const names: string[] = [];
  for (const name of text.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.')
      names.push(name === '**' ? name : name.replace(/[. ]+$/, ''));
  }
  return { isAbsolute: text.startsWith('/'), names };
}

function onOneBase(
  pattern: PathParts,
  given: PathParts,
  folder: string | undefined,
): readonly [PathParts, PathParts] | undefined {
  if (pattern.isAbsolute === given.isAbsolute) return [pattern, given];
  const base = folder === undefined ? undefined : splitPath(folder);
  if (base === undefined || !base.isAbsolute || !isPlainPath(base)) return undefined;
  const join = (parts: PathParts): PathParts =>
    parts.isAbsolute ? parts : { isAbsolute: true, names: [...base.names, ...parts.names] };
  // The names of the folder are no patterns.
  if (!pattern.isAbsolute && base.names.some((name) => /[*?]/.test(name))) return undefined;
  return [join(pattern), join(given)];
}

interface MatchOptions {
  /** Whether a wildcard covers hidden names. */
  readonly hidden: boolean;
}

/**
 * Goes back to the last `**` alone, so the steps are at most the characters of the pattern times those of the path.
 */
function matchNames(
  pattern: readonly string[],
  names: readonly string[],
  options: MatchOptions,
): boolean {
  let at = 0;
  let back: { readonly pattern: number; name: number } | undefined;
  let name = 0;
  while (name < names.length) {
    const part = pattern[at];
    const given = names[name] ?? '';
    if (part === '**' && at < pattern.length - 1) {
      back = { pattern: at, name };
      at += 1;
    } else if (part === '**' && mayCover(given, options)) {
      // At the end it is every name that is left, and at least one.
      back = undefined;
      name += 1;
      if (name === names.length) return true;
    } else if (part !== undefined && part !== '**' && matchName(part, given, options)) {
      at += 1;
      name += 1;
    } else if (back !== undefined && mayCover(names[back.name] ?? '', options)) {
      back.name += 1;
      name = back.name;
      at = back.pattern + 1;
    } else return false;
  }
  return at === pattern.length;
}

function mayCover(name: string, { hidden }: MatchOptions): boolean {
  return hidden || !name.startsWith('.');
}

function matchName(pattern: string, name: string, options: MatchOptions): boolean {
  if (!pattern.startsWith('.') && /^[*?]/.test(pattern) && !mayCover(name, options)) return false;
  let at = 0;
  let back: { readonly pattern: number; char: number } | undefined;
  let char = 0;
  while (char < name.length) {
    const part = pattern[at];
    if (part === '*') {
      back = { pattern: at, char };
      at += 1;
    } else if (part === '?' || (part !== undefined && part === name[char])) {
      at += 1;
      char += 1;
    } else if (back !== undefined) {
      back.char += 1;
      char = back.char;
      at = back.pattern + 1;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
