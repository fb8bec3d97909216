/** The form of a command of `holdpoint`: what its help says, what it reads, and what it runs. */
import type { Printer } from './printer.ts';
import type { Arguments } from './read-arguments.ts';
import type { ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  readonly short?: string;
  /** The name of the value in the help: `--header TEXT`. */
  readonly value?: string;
  readonly help: string;
}

export interface CliCommand {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** The line of another command names it: the list fits a screen. */
  readonly isNamedElsewhere?: true;
  /** The arguments after the name. */
  readonly usage: string;
  /** What the command does, prints and ends with. */
  readonly about: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Which groups of shared options it has besides `--json` and `--help`. */
  readonly shares: readonly SharedGroup[];
  readonly examples: readonly string[];
  /** Words that completion offers for the first argument. */
  readonly words?: readonly string[];
  run(): Promise<CliAction>;
}

export type CliAction = (call: CliCall) => Promise<ExitCode>;
export type SharedGroup = 'server' | 'deciding' | 'audience' | 'asking';

/** One call of a command. */
export interface CliCall {
  readonly args: Arguments;
  readonly terminal: Terminal;
  /** The result, for a script. */
  readonly out: Printer;
  /** Progress, for a person. */
  readonly err: Printer;
  readonly isJson: boolean;
  /** The words of the command line, for the tool call that it stands in. */
  readonly argv: readonly string[];
}
