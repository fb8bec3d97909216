/**
 * Programs that run other programs or any code, by their names: which words say what runs. A rule by the first words of a
 * command has to name that much of it, and the chat suggests no less.
 *
 * A missing entry lets one rule allow any program; a wrong one makes a person name a longer prefix. Which options of other
 * programs run something (`git grep --open-files-in-pager`, `tar --checkpoint-action`) is not known here.
 */

/** No word behind them bounds what runs: they join texts, read a script, or take a command anywhere. */
const BOUNDLESS: ReadonlySet<string> = new Set(
  'at batch eval expect find nsenter parallel screen script setpriv ssh su systemd-run tmux trap unshare watch'.split(
    ' ',
  ),
);

interface CommandRunner {
  /** How many words stand between the options and the command. */
  readonly operands: number;
  /** Letters of options whose value is the next word. */
  readonly valued: string;
  /** Letters of options without a value. */
  readonly flags: string;
}

/** A command follows the options: `name:operands/valued+flags`. */
const COMMAND_RUNNERS: ReadonlyMap<string, CommandRunner> = readTable(
  `builtin bunx busybox chroot:1 command doas/u+n env/u+i exec flock:1/w+nx ionice/cn nice/n nohup npx+y pkexec setsid
  stdbuf/ieo strace sudo/gu+EHn taskset:1 time+p timeout:1/ks+v toybox uvx xargs/ILPn+0rt`,
);

/** Programs of which some subcommands run what follows them, behind so many operands. */
const SUBCOMMANDS: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  Object.entries({
    bun: 'x',
    bundle: 'exec',
    conda: 'run',
    compose: 'exec:1 run:1',
    container: 'exec:1 run:1',
    deno: 'eval:9 run',
    docker: 'exec:1 run:1',
    'docker-compose': 'exec:1 run:1',
    git: '',
    go: 'run',
    hatch: 'run',
    kubectl: 'exec:1 run:1',
    mise: 'exec x',
    nerdctl: 'exec:1 run:1',
    nix: 'develop:1 run shell:1',
    npm: 'exec x',
    pdm: 'run',
    pipx: 'run',
    pnpm: 'dlx exec',
    podman: 'exec:1 run:1',
    poetry: 'run',
    rye: 'run',
    tool: 'run',
    uv: 'run',
    yarn: 'dlx exec',
  }).map(([name, listed]) => [name, readSubcommands(listed)]),
);

const SHELLS: ReadonlySet<string> = new Set(
  '. ash bash csh dash fish ksh mksh nu oksh powershell pwsh rbash sh source tcsh yash zsh'.split(
    ' ',
  ),
);
/** A script, a target or a text of code follows; without a version at the end of the name. */
const INTERPRETERS: ReadonlySet<string> = new Set(
  `awk bun deno gawk gmake irb just lua luajit make mawk nawk node nodejs osascript perl php pypy python rake rscript ruby
  sed tclsh ts-node tsx`.split(/\s+/),
);
/** Options of interpreters in front of what they name: with a value in the next word, and without one. */
const SCRIPT_OPTIONS: ReadonlyMap<
  string,
  { readonly names: readonly string[]; readonly flags: RegExp }
> = new Map([
  ['python', { names: ['-m'], flags: /^-[uBOIs]+$/ }],
  ['make', { names: ['-C', '-f'], flags: /^-(?:[ks]|j\d*)$/ }],
]);

/**
 * Whether the first words of a command say what it runs: `npm test`, `timeout 5 npm test`, `bash build.sh`. Of `npm`,
 * `timeout 5` and `bash -c` anything may follow.
 */
export function nameWhatRuns(words: readonly string[]): boolean {
  const [first = ''] = words;
  if (!isName(first)) return false;
  const name = programName(first);
  const runner = COMMAND_RUNNERS.get(name);
  if (runner !== undefined) return nameWhatRuns(behindOptions(words.slice(1), runner));
  if (BOUNDLESS.has(name)) return false;
  const subcommands = SUBCOMMANDS.get(name);
  if (subcommands !== undefined) {
    const [subcommand = '', ...rest] = behindOptions(words.slice(1), {
      operands: 0,
      ...optionsOf(name),
    });
    if (SUBCOMMANDS.has(subcommand)) return nameWhatRuns([subcommand, ...rest]);
    const operands = subcommands.get(subcommand);
    if (operands !== undefined)
      return nameWhatRuns(behindOptions(rest, { operands, ...NO_OPTIONS }));
    return isName(subcommand);
  }
  return !isInterpreter(first) || nameScript(unversioned(name), words.slice(1));
}

function optionsOf(name: string): typeof NO_OPTIONS {
  return name === 'git' ? { valued: 'C', flags: '' } : NO_OPTIONS;
}

/** A shell, or a program that runs what follows it, whatever that is. */
export function runsWhatFollows(word: string): boolean {
  const name = programName(word);
  const isRunner = COMMAND_RUNNERS.has(name) && !PACKAGE_RUNNERS.has(name);
  return isRunner || BOUNDLESS.has(name) || SHELLS.has(name);
}

const PACKAGE_RUNNERS: ReadonlySet<string> = new Set(['bunx', 'npx', 'uvx']);

/** What `uv run`, `docker exec` and `npx` may run: the words behind; undefined of another command. */
export function forwardedWords(words: readonly string[]): readonly string[] | undefined {
  const name = programName(words[0] ?? '');
  if (PACKAGE_RUNNERS.has(name)) return words.slice(1);
  const subcommands = SUBCOMMANDS.get(name);
  const at =
    subcommands === undefined ? -1 : words.findIndex((word, at) => at > 0 && subcommands.has(word));
  return at < 0 ? undefined : words.slice(at + 1);
}

/** Whether a command that runs others has words that no rule can read: another shell, or code. */
export function mayRunAnything(forwarded: readonly string[]): boolean {
  const isOpen = (word: string) => runsWhatFollows(word) || word === '-c' || word === '--call';
  const interpreter = forwarded.findIndex(isInterpreter);
  const isCode = interpreter >= 0 && isGivenCode(forwarded.slice(interpreter));
  return isCode || forwarded.some(isOpen);
}

export function isInterpreter(word: string): boolean {
  const name = programName(word);
  return SHELLS.has(name) || INTERPRETERS.has(unversioned(name));
}

const AWK = /awk$/;
/** What runs programs in the text of awk: a call, a pipe, a function from elsewhere. */
const AWK_RUNS = /system|getline|[|@]/;
const INFORMS = /^(?:-[vVh]|--version|--help)$/;
const CODE_OPTION = /^-(?:[A-Za-z]*[cCeErRp][A-Za-z]*$|-(?:eval|print|exec|command|run)\b)/;
/** Their other code is in a file, and their options are not those of the rest. */
const READS_FILES: ReadonlySet<string> = new Set(['gmake', 'just', 'make', 'rake', 'sed']);

/** Whether an interpreter is given its code in the command or as its input, where no rule can read it. */
export function isGivenCode(words: readonly string[]): boolean {
  const name = unversioned(programName(words[0] ?? ''));
  if (READS_FILES.has(name)) return false;
  const given = words.slice(1);
  if (AWK.test(name)) return given.some((word) => AWK_RUNS.test(word));
  if (given.length === 1 && INFORMS.test(given[0] ?? '')) return false;
  for (const [at, word] of given.entries()) {
    if (word === '-' || CODE_OPTION.test(word)) return true;
    const before = given[at - 1];
    // Behind an option it may be the value of that option.
    const isScript = !word.startsWith('-') && (before === undefined || !before.startsWith('-'));
    if (isScript || before === '-m') return false;
  }
  return given.every((word) => word.startsWith('-'));
}

/** Without its folder, and in small letters: some file systems do not tell letters apart. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).toLowerCase();
}

function nameScript(name: string, given: readonly string[]): boolean {
  const options = SCRIPT_OPTIONS.get(name);
  let at = 0;
  while (options?.flags.test(given[at] ?? '') === true) at += 1;
  if (options?.names.includes(given[at] ?? '') === true) at += name === 'python' ? 1 : 2;
  return isName(given[at] ?? '');
}

/** `python3.12` is `python`. */
function unversioned(name: string): string {
  return name.replace(/[\d.]+$/, '') || name;
}

function isName(word: string): boolean {
  return word !== '' && !word.startsWith('-') && !word.includes('=');
}

const NO_OPTIONS = { valued: '', flags: '' };

/** Empty behind an option that is not known: its value could be read as the command. */
function behindOptions(words: readonly string[], runner: CommandRunner): readonly string[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      at += 1;
      break;
    }
    const isAssignment = word.includes('=') && !word.startsWith('-');
    if (!word.startsWith('-') && !isAssignment) break;
    const letter = word.length === 2 ? word.charAt(1) : '';
    if (letter !== '' && runner.valued.includes(letter)) at += 1;
    else if (!isAssignment && (letter === '' || !runner.flags.includes(letter))) return [];
  }
  const behind = words.slice(at + runner.operands);
  return runner.operands > 0 && behind[0] === '--' ? behind.slice(1) : behind;
}

function readTable(text: string): ReadonlyMap<string, CommandRunner> {
  return new Map(
    text.split(/\s+/).map((entry) => {
      const [, name = '', operands = '0', valued = '', flags = ''] =
        /^([^:/+]+)(?::(\d))?(?:\/(\w+))?(?:\+(\w+))?$/.exec(entry) ?? [];
      return [name, { operands: Number(operands), valued, flags }];
    }),
  );
}

function readSubcommands(listed: string): ReadonlyMap<string, number> {
  return new Map(
    listed
      .split(' ')
      .filter(Boolean)
      .map((entry) => {
        const [name = '', operands = '0'] = entry.split(':');
        return [name, Number(operands)];
      }),
  );
}
