/** `holdpoint completion`: a script that completes commands and options in bash, zsh or fish. */
import type { CliCommand, CliAction } from '../cli-command.ts';
import { COMMANDS } from '../commands.ts';
import { allOptionsOf } from '../shared-options.ts';
import { EXIT, usageError } from '../exit-code.ts';

export const completion: CliAction = async ({ args, terminal }) => {
  const [shell, more] = args.positionals;
  const write = more === undefined && shell !== undefined ? SCRIPTS[shell] : undefined;
  if (write === undefined)
    throw usageError('Name one shell: holdpoint completion bash, zsh or fish.');
  // A script and no text for a person: its characters are all our own, and are printed as they are.
  terminal.stdout.write(write(COMMANDS));
  return EXIT.ok;
};

const SCRIPTS: Readonly<Record<string, ((commands: readonly CliCommand[]) => string) | undefined>> =
  {
    __proto__: null as never,
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  };

function flagsOf(command: CliCommand): string[] {
  return Object.keys(allOptionsOf(command)).map((name) => `--${name}`);
}

function firstWords(command: CliCommand): string {
  return [...(command.words ?? []), ...flagsOf(command)].join(' ');
}

function bashScript(commands: readonly CliCommand[]): string {
  const cases = commands.map((command) => `    ${command.name}) words="${firstWords(command)}" ;;`);
  return `# holdpoint completion bash: eval "$(holdpoint completion bash)"
_holdpoint() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help --help" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _holdpoint holdpoint
`;
}

function zshScript(commands: readonly CliCommand[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quoteless(summary)}'`);
  const cases = commands.map(
    (command) => `    ${command.name}) options=(${firstWords(command)}) ;;`,
  );
  return `#compdef holdpoint
# holdpoint completion zsh: eval "$(holdpoint completion zsh)"
_holdpoint() {
  local -a names options
  names=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' names
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  compadd -- $options
  _files
}
compdef _holdpoint holdpoint
`;
}

function fishScript(commands: readonly CliCommand[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c holdpoint -n __fish_use_subcommand -f -a ${command.name} -d '${quoteless(command.summary)}'`,
    ...Object.entries(allOptionsOf(command)).map(
      ([name, { type, short, help }]) =>
        `complete -c holdpoint -n '__fish_seen_subcommand_from ${command.name}' -l ${name}${short === undefined ? '' : ` -s ${short}`}${type === 'string' ? ' -r' : ''} -d '${quoteless(help)}'`,
    ),
    ...(command.words ?? []).map(
      (word) => `complete -c holdpoint -n '__fish_seen_subcommand_from ${command.name}' -a ${word}`,
    ),
  ]);
  return `# holdpoint completion fish | source\n${lines.join('\n')}\n`;
}

function quoteless(text: string): string {
  return text.replaceAll(/['\\:]/g, ' ');
}
