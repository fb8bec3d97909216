/**
 * Draws the lines in which a server says that a request opened or ended.
 *
 * Titles and names of tools are an agent's, names of people a key's: each is drawn and cut, and what the server itself
 * says comes before them, so that no title can look like a decision.
 */
import { drawControls } from './output-lines.ts';

const NAME_CHARS = 60;
/** The longest outcome, `superseded`. */
const OUTCOME_CHARS = 10;

/** Undefined for every other line. */
export function activityLine(line: string): string | undefined {
  if (!line.startsWith('{"level":"info","activity":')) return undefined;
  const said = parsed(line);
  if (said === undefined) return undefined;
  const { activity, at, outcome, subject, sessionTitle, sessionId } = said;
  if (activity !== 'opened' && activity !== 'settled') return undefined;
  const what = name(activity === 'opened' ? 'asked' : outcome).padEnd(OUTCOME_CHARS);
  const by = subject === undefined ? '' : `, by ${name(subject)}`;
  const where = JSON.stringify(name(sessionTitle ?? sessionId));
  return `${timeOf(at)}  ${what}  ${name(said['kind'])} ${JSON.stringify(name(said['toolName']))} in ${where}${by}`;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function name(value: unknown): string {
  const text = drawControls(String(value));
  return text.length > NAME_CHARS ? `${text.slice(0, NAME_CHARS - 1)}…` : text;
}

/** As on the clock of this machine. */
function timeOf(at: unknown): string {
  const date = new Date(Number(at));
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
