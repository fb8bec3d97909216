/** What the name of a tool says. Nothing else is known of a tool. */

/**
 * Which tools do nothing but ask: the card of the question says all there is to their calls. Any other tool may have
 * asked on its way, and its call has an input and a result of its own.
 *
 * The name is all that is known of a tool; one that is missing here is shown once more than it must be.
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

/** Also as a tool of an MCP server, `mcp__name__ask_user`. */
export function onlyAsks(toolName: string): boolean {
  const own = toolName.split('__').at(-1) ?? '';
  return ASKING.has(own.toLowerCase().replaceAll(/[^a-z]/g, ''));
}

/**
 * Which tools run whatever text they are given. A rule for every call of such a tool allows everything, so a person
 * confirms it in a step of its own.
 *
 * The name is all that is known of a tool. One too many costs a press; one too few lets a shell through unseen.
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

/** Also where it is a word in a longer name: `mcp__host__run_command`, `BashTool`, `execute-shell`. */
export function isShell(toolName: string): boolean {
  return toolName
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => SHELL_WORDS.has(word) || word.endsWith('shell'));
}
