/** Runs one command line: finds the command, reads its arguments, and turns every failure into a sentence and an exit code. */
import type { CliCommand, OptionSpec, Terminal } from './cli-command.ts';
import { describeFailure, EXIT, type ExitCode, usageError } from './exit-code.ts';
import { Printer } from './printer.ts';
import { nearestName, readArguments } from './read-arguments.ts';
import { allOptionsOf } from './shared-options.ts';

/** `commands`: those that can be run here; a hook brings its own alone. */
export async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  commands: readonly CliCommand[],
): Promise<ExitCode> {
  const { env } = terminal;
  const out = new Printer(terminal.stdout, env);
  const err = new Printer(terminal.stderr, env);
  const [name = '', ...words] = argv;
  // Known before the arguments are read, so that a mistake in them is reported in the same form.
  const isJson = words.slice(0, endOfOptions(words)).includes('--json');
  try {
    if (name === '' || name === 'help' || name === '--help' || name === '-h') {
      const about = words[0] === undefined ? undefined : findCommand(words[0], commands);
      const text = about === undefined ? helpOfAll(commands) : helpOf(about);
      (name === '' ? err : out).print({ text, isBlock: true });
      return name === '' ? EXIT.usage : EXIT.ok;
    }
    const command = findCommand(name, commands);
    const args = readArguments(words, allOptionsOf(command));
    if (args.has('help')) {
      out.print({ text: helpOf(command), isBlock: true });
      return EXIT.ok;
    }
    const run = await command.run();
    return await run({ args, terminal, out, err, isJson: args.has('json'), argv });
  } catch (cause) {
    const { code, message, exitCode } = describeFailure(cause, env);
    if (isJson) err.json({ error: { code, message } });
    else err.print({ text: `holdpoint${name === '' ? '' : ` ${name}`}: ${message}`, style: 'red' });
    return exitCode;
  }
}

function endOfOptions(words: readonly string[]): number {
  const end = words.indexOf('--');
  return end === -1 ? words.length : end;
}

function findCommand(name: string, commands: readonly CliCommand[]): CliCommand {
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return command;
  const near = nearestName(
    name,
    commands.map((one) => one.name),
  );
  throw usageError(
    `There is no command ${name}.${near === undefined ? '' : ` Did you mean ${near}?`} \`holdpoint --help\` lists them.`,
  );
}

/** The help of all commands, which fits a screen of 24 lines and 80 columns. */
export function helpOfAll(commands: readonly CliCommand[]): string {
  const listed = commands.filter(({ isNamedElsewhere }) => isNamedElsewhere !== true);
  const names = listed.map(({ name, summary }) => `  ${name.padEnd(11)}${summary}`);
  return [
    'Usage: holdpoint COMMAND [ARGUMENTS]    Ask a person from a shell, and answer.',
    ...names,
    'Agents: HOLDPOINT_URL, HOLDPOINT_TOKEN. People: holdpoint login. COMMAND --help',
    'Exit: 0 done 1 refused 2 usage 3 unreachable 10 denied 11 expired 12 cancelled',
  ].join('\n');
}

export function helpOf(command: CliCommand): string {
  const { name, usage, about, examples } = command;
  const options = Object.entries(allOptionsOf(command));
  const labels = options.map(([option, spec]) => labelOf(option, spec));
  const width = Math.max(...labels.map((label) => label.length));
  return [
    `Usage: holdpoint ${name}${usage === '' ? '' : ` ${usage}`}`,
    '',
    about,
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
    'Options:',
    ...options.map(([, { help }], index) => `  ${(labels[index] ?? '').padEnd(width)}  ${help}`),
  ].join('\n');
}

function labelOf(name: string, { type, short, value = 'TEXT' }: OptionSpec): string {
  const flag = short === undefined ? `--${name}` : `-${short}, --${name}`;
  return type === 'boolean' ? flag : `${flag} ${value}`;
}
