/**
 * Holds the names of src/ to one vocabulary: an exported function is a verb with its object and never a bare participle,
 * a top-level name is declared in at most two files, and a word of the list "Do not use" in docs/words.md is part of no
 * name at all. Reads no disk, so that tests can pass any text.
 */
import type { DeclaredName } from './declared-names.ts';

export interface NamedFile {
  readonly file: string;
  readonly names: readonly DeclaredName[];
}

export interface CheckedFile extends NamedFile {
  /** Names at any depth, each with its first line. */
  readonly identifiers: ReadonlyMap<string, number>;
}

const MOST_FILES_OF_A_NAME = 2;
/** Of all top-level names, in hundredths, those that two files declare: with more, a reader asks each time which one is meant. */
const MOST_SHARED_NAMES = 1;

/** Participles without the ending -ed; `NO_PARTICIPLES` lists the -ed words that are not participles. */
const IRREGULAR = new Set(
  (
    'told taken found given said done gone kept made met heard begun sent left written chosen shown drawn held known ' +
    'seen spoken thought brought caught lost built bound hidden broken driven grown'
  ).split(' '),
);
const NO_PARTICIPLES = new Set(['embed', 'feed', 'need', 'read', 'seed', 'speed']);

export function isBareParticiple(name: string): boolean {
  if (!/^[a-z]+$/.test(name) || NO_PARTICIPLES.has(name)) return false;
  return IRREGULAR.has(name) || name.endsWith('ed');
}

/** The words of the table below the heading "Do not use": the first cell of a row, in backquotes, several with commas. */
export function readForbiddenWords(page: string): string[] {
  const [, section = ''] = page.split(/^## Do not use$/m);
  const [table = ''] = section.split(/^## /m);
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, word = '']) => word.toLowerCase());
}

export function findNamingFaults(
  files: readonly CheckedFile[],
  forbidden: readonly string[],
): string[] {
  return [
    ...files.flatMap(({ file, names }) =>
      names
        .filter(({ isExported, isFunction, name }) => {
          return isExported && isFunction && isBareParticiple(name);
        })
        .map(
          ({ name, line }) =>
            `${file}:${line}  ${name}: an exported function is a verb with its object`,
        ),
    ),
    ...[...filesByName(files)]
      .filter(([, declaredIn]) => declaredIn.length > MOST_FILES_OF_A_NAME)
      .map(
        ([name, declaredIn]) =>
          `${name} is declared in ${declaredIn.length} files: ${declaredIn.join(', ')}. One name, one meaning: qualify the narrower ones`,
      ),
    ...findSharedNames(files),
    ...files.flatMap(({ file, names, identifiers }) =>
      [...new Map([...identifiers, ...names.map(linesByName)])].flatMap(([name, line]) =>
        wordsOf(name)
          .filter((word) => forbidden.includes(word))
          .map(
            (word) =>
              `${file}:${line}  ${name}: docs/words.md says what to write in place of "${word}"`,
          ),
      ),
    ),
  ];
}

function findSharedNames(files: readonly NamedFile[]): string[] {
  const names = filesByName(files);
  const shared = [...names].filter(([, declaredIn]) => declaredIn.length > 1);
  // A handful of names says nothing about a vocabulary.
  if (names.size < 100 || shared.length * 100 <= names.size * MOST_SHARED_NAMES) return [];
  return [
    `${shared.length} of ${names.size} names are declared in two files, more than ${MOST_SHARED_NAMES} %: qualify the narrower ones`,
  ];
}

function linesByName({ name, line }: DeclaredName): [string, number] {
  return [name, line];
}

export function filesByName(files: readonly NamedFile[]): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const { file, names } of files) {
    for (const { name } of names) byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return byName;
}

/** `HeldSocket`, `heldSocket`, `HELD_SOCKET` → held, socket. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .split('_')
    .map((word) => word.toLowerCase());
}
