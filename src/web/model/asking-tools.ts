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
