/** Runs a command as on a terminal: `script` gives it one and passes on what it prints. Linux and macOS have it. */
import { shellWord } from './shell-word.ts';

export function onTerminal(command: readonly string[]): string[] {
  return process.platform === 'darwin'
    ? ['script', '-q', '/dev/null', ...command]
    : ['script', '-qefc', command.map(shellWord).join(' '), '/dev/null'];
}
