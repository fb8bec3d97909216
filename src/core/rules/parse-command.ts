/**
 * Reads a command line as simple commands, for rules that match commands by their first words.
 *
 * It understands words, plain quotes, and the operators `&&`, `||`, `|`, `;` and line ends, which every POSIX shell and
 * fish read alike. Everything else is a doubt: substitutions, redirections, groups, assignments, escapes, comments, words of
 * the grammar, characters that are not drawn. A command with a doubt is never allowed by its words.
 *
 * It goes on after a doubt, so that a rule which denies still finds `rm` in `$(rm -rf x)`. A bug here looks like a command
 * that the shell runs and this list does not have.
 */
import { deferPattern } from '../../protocol/defer-pattern.ts';
import { LIMITS } from '../../protocol/limits.ts';

interface CommandWord {
  readonly text: string;
  /** The shell passes these characters on; otherwise it may put names of files in their place. */
  readonly isExact: boolean;
}

export type SimpleCommand = readonly CommandWord[];

export interface ParsedCommand {
  readonly commands: readonly SimpleCommand[];
  readonly isUnderstood: boolean;
}

const SAFE_CHAR = /[A-Za-z0-9_@%+:,./=-]/;
/** The shell puts names of files, or a home folder, in their place; never an operator. */
const EXPANDED_CHARS = '*?[]~';
const DIVIDING_CHARS = '(){}`';
/** Not drawn, or drawn as something else; a line end and a tab may stand in quotes. */
const ODD_CHAR = deferPattern(String.raw`(?![\n\t])[\p{C}\p{Zl}\p{Zp}]`, 'u');
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/;
/** They begin a command and are none: what follows them is one. */
const GRAMMAR_WORDS: ReadonlySet<string> = new Set(
  `! [[ begin case coproc do done elif else end esac fi for foreach function if in nocorrect noglob not repeat select
  then time until while`.split(/\s+/),
);

export function parseCommand(text: string): ParsedCommand {
  const part = text.slice(0, LIMITS.ruleCommandLineChars);
  const reader = new CommandReader(part);
  if (part.length < text.length || ODD_CHAR().test(part)) reader.doubt();
  return reader.read();
}

class CommandReader {
  readonly #text: string;
  readonly #commands: SimpleCommand[] = [];
  #at = 0;
  #words: CommandWord[] = [];
  #word: string | undefined;
  #isExact = true;
  #isUnderstood = true;
  /** After `&&`, `||` and `|`. */
  #isUnfinished = false;

  constructor(text: string) {
    this.#text = text;
  }

  doubt(): void {
    this.#isUnderstood = false;
  }

  read(): ParsedCommand {
    while (this.#at < this.#text.length) this.#readOne(this.#take());
    this.#endCommand();
    if (this.#isUnfinished) this.doubt();
    return { commands: this.#commands, isUnderstood: this.#isUnderstood };
  }

  #take(): string {
    const char = this.#text.charAt(this.#at);
    this.#at += 1;
    return char;
  }

  #takeIf(char: string): boolean {
    const isNext = this.#text.charAt(this.#at) === char;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #add(char: string, isExact = true): void {
    this.#word = (this.#word ?? '') + char;
    if (!isExact) this.#isExact = false;
  }

  #readOne(char: string): void {
    if (SAFE_CHAR.test(char)) return this.#add(char);
    if (char === ' ' || char === '\t') return this.#endWord();
    if (char === '\n') return this.#endCommand();
    if (char === ';' || char === '|' || char === '&') return this.#readOperator(char);
    if (char === "'") return this.#readSingleQuotes();
    if (char === '"') return this.#readDoubleQuotes();
    if (EXPANDED_CHARS.includes(char)) return this.#add(char, false);
    this.doubt();
    if (DIVIDING_CHARS.includes(char)) this.#endCommand();
    else if (char === '<' || char === '>') this.#endWord();
    else if (char === '\\') this.#add(this.#take());
    else this.#add(char, char !== '$');
  }

  #readOperator(char: string): void {
    const isDouble = char !== ';' && this.#takeIf(char);
    const isEmpty = this.#words.length === 0 && this.#word === undefined;
    const isOdd = char === '&' && !isDouble;
    if (isEmpty || isOdd) this.doubt();
    this.#endCommand();
    this.#isUnfinished = char !== ';';
  }

  /** A backslash in them is a letter to most shells and an escape to fish. */
  #readSingleQuotes(): void {
    const end = this.#text.indexOf("'", this.#at);
    const quoted = this.#text.slice(this.#at, end < 0 ? undefined : end);
    if (end < 0 || quoted.includes('\\')) this.doubt();
    this.#add(quoted);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  #readDoubleQuotes(): void {
    this.#add('');
    for (; this.#at < this.#text.length; ) {
      const char = this.#take();
      if (char === '"') return;
      if (char === '`' || (char === '$' && this.#takeIf('('))) {
        this.doubt();
        return this.#endCommand();
      }
      if (char === '$' || char === '\\' || char === '!') this.doubt();
      this.#add(char, char !== '$');
    }
    this.doubt();
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    this.#words.push({ text: this.#word, isExact: this.#isExact });
    this.#word = undefined;
    this.#isExact = true;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words.length === 0) return;
    const begin = this.#words.findIndex(
      ({ text }) => !ASSIGNMENT.test(text) && !GRAMMAR_WORDS.has(text),
    );
    const command = begin < 0 ? [] : this.#words.slice(begin);
    if (begin !== 0 || command[0]?.isExact !== true) this.doubt();
    if (command.length > 0) this.#commands.push(command);
    this.#words = [];
    this.#isUnfinished = false;
  }
}
