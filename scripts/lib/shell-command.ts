/** Writes commands that a shell or a terminal runs. */

/** Quotes a text that a shell would not read as one word. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command that runs another as on a terminal: `script` of Linux and macOS allocates it and forwards the output. */
export function onTerminal(command: readonly string[]): string[] {
  return process.platform === 'darwin'
    ? ['script', '-q', '/dev/null', ...command]
    : ['script', '-qefc', command.map(shellWord).join(' '), '/dev/null'];
}
