/**
 * Tools that run any text, by their names, which are all that is known about them. A rule for every call of such a tool
 * allows everything, so a person confirms it in a separate step.
 *
 * A wrong entry costs one press; a missing one lets a shell through without the warning.
 */
const SHELL_WORDS: ReadonlySet<string> = new Set([
  'bash',
  'cmd',
  'command',
  'commands',
  'console',
  'eval',
  'exec',
  'execute',
  'fish',
  'powershell',
  'process',
  'pwsh',
  'python',
  'repl',
  'script',
  'sh',
  'shell',
  'spawn',
  'ssh',
  'subprocess',
  'sudo',
  'terminal',
  'zsh',
]);

/** Also matches a word in a longer name: `mcp__host__run_command`, `BashTool`, `execute-shell`. */
export function isShell(toolName: string): boolean {
  return toolName
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => SHELL_WORDS.has(word) || word.endsWith('shell'));
}
