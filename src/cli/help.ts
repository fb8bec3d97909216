/** The help of `holdpoint`, and of each command. */
import type { CliCommand, OptionSpec } from './cli-command.ts';
import { allOptionsOf } from './shared-options.ts';

/** Fits a screen of 24 lines and 80 columns. */
export function helpOfAll(commands: readonly CliCommand[]): string {
  const names = commands.map(({ name, summary }) => `  ${name.padEnd(11)}${summary}`);
  return [
    'Usage: holdpoint COMMAND [ARGUMENTS]    Ask a person from a shell, and answer.',
    ...names,
    'Agents: HOLDPOINT_URL, HOLDPOINT_TOKEN. People: holdpoint login.',
    'Exit: 0 approved, answered or done; 10 denied, 11 expired, 12 cancelled;',
    '1 refused, 2 usage, 3 unreachable. More: holdpoint COMMAND --help',
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
