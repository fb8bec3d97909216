/**
 * Tools that only ask, by their names, which are all that is known about them: the card shows everything about their
 * calls. Any other tool may ask on its way, and its call has an input and a result of its own.
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
