/** Facts that follow from the name of a tool: the name is the only thing known about it. */

/**
 * Tools that only ask: the card shows everything about their calls. Any other tool may ask on its way, and its call
 * has an input and a result of its own.
 *
 * A tool that is missing here is shown once more than necessary.
 */
const ASKING: ReadonlySet<string> = new Set([
  'askfollowupquestion',
  'askhuman',
  'askquestion',
  'askquestions',
  'askuser',
  'askuserquestion',
  'askuserquestions',
  'elicit',
  'elicitation',
  'requestuserinput',
]);

/** Also matches a tool of an MCP server, `mcp__name__ask_user`. */
export function onlyAsks(toolName: string): boolean {
  const own = toolName.split('__').at(-1) ?? '';
  return ASKING.has(own.toLowerCase().replaceAll(/[^a-z]/g, ''));
}

/**
 * Tools that run any text. A rule for every call of such a tool allows everything, so a person confirms it in a
 * separate step.
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
