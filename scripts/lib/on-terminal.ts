/** Runs a command as on a terminal: `script` allocates the terminal and forwards the output. Linux and macOS have `script`. */
import { shellWord } from './shell-word.ts';

export function onTerminal(command: readonly string[]): string[] {
  return process.platform === 'darwin'
    ? ['script', '-q', '/dev/null', ...command]
    : ['script', '-qefc', command.map(shellWord).join(' '), '/dev/null'];
}
