/**
 * The rules that a card suggests for its input: the first words of a command, the folder of a file, the host of an address.
 *
 * The server judges the chosen rule against the same input and refuses one that does not cover it, so a suggestion is
 * only left out where the server could not read the input for certain either.
 */
import type { JsonObject, RuleChoice } from '../../../protocol/types.ts';
import { nameWhatRuns } from '../../../protocol/command-runners.ts';
import { isShell } from '../../../protocol/shell-tools.ts';

export interface RuleOffer {
  readonly rule: RuleChoice;
  /** `npm test …`, `src/**`, `api.example.org`. */
  readonly pattern: string;
}

/** Operators, substitutions, escapes and invisible characters: such a command has no first words to suggest. */
const UNCLEAR_COMMAND = /[;|&$`<>(){}\\!#^~*?[\]'"]|[^\x20-\x7e]/;
const OFFERED_WORD = /^[A-Za-z0-9_@%+:,./-]+$/;
const PREFIX_CHARS = 200;
/** They only read and print, whatever options follow. */
const HARMLESS_WORDS: ReadonlySet<string> = new Set(
  'basename cat cmp cut df dirname du echo grep head id ls nl printf pwd readlink realpath seq stat tail tr true uname wc whoami'.split(
    ' ',
  ),
);

export function suggestRules(toolName: string, input: JsonObject): readonly RuleOffer[] {
  if (isShell(toolName)) return typeof input.command === 'string' ? ofCommand(input.command) : [];
  const path = input.file_path ?? input.notebook_path ?? input.path;
  if (EDITED_FILE_TOOLS.has(toolName) && typeof path === 'string') return ofPath(path);
  return /fetch/i.test(toolName) && typeof input.url === 'string' ? ofAddress(input.url) : [];
}

const EDITED_FILE_TOOLS: ReadonlySet<string> = new Set([
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'NotebookRead',
  'Read',
  'Write',
]);

function ofCommand(command: string): readonly RuleOffer[] {
  if (UNCLEAR_COMMAND.test(command.replaceAll(/'[^'\\]*'|"[^"$`\\!]*"/g, 'x'))) return [];
  const words: string[] = [];
  for (const word of command.trim().split(/ +/)) {
    if (!OFFERED_WORD.test(word) || word.startsWith('-')) break;
    words.push(word);
  }
  const isHarmless = HARMLESS_WORDS.has(words[0] ?? '');
  const shortest = [2, 3, 4, 5, 6].find((length) => {
    return length <= words.length && nameWhatRuns(words.slice(0, length));
  });
  const lengths = [...(shortest === undefined ? [] : [shortest]), ...(isHarmless ? [1] : [])];
  return lengths.flatMap((length) => {
    const prefix = words.slice(0, length).join(' ');
    const isFit = prefix.length <= PREFIX_CHARS;
    return isFit ? [{ rule: { command: prefix }, pattern: `${prefix} …` }] : [];
  });
}

const PLAIN_PATH = /^\/?[A-Za-z0-9_@%+,. -]+(?:\/[A-Za-z0-9_@%+,. -]+)*$/;

function ofPath(path: string): readonly RuleOffer[] {
  const names = path.split('/');
  const isOdd = names.some((name, at) => /[. ]$/.test(name) || (name === '' && at > 0));
  if (!PLAIN_PATH.test(path) || isOdd || names.length < 2) return [];
  const glob = `${names.slice(0, -1).join('/')}/${names.at(-1)?.startsWith('.') ? '.*' : '**'}`;
  return glob.startsWith('/*') || glob.length > PREFIX_CHARS
    ? []
    : [{ rule: { path: glob }, pattern: glob }];
}

const OFFERED_ADDRESS = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z]{2,})(?:[/?#]|$)/;

function ofAddress(url: string): readonly RuleOffer[] {
  const host = OFFERED_ADDRESS.exec(url)?.[1];
  return host === undefined || /[^\x21-\x7e]|\\/.test(url)
    ? []
    : [{ rule: { host }, pattern: host }];
}
