/**
 * Formats the lines in which a server logs that an interaction opened or ended.
 *
 * Agents choose titles and tool names, and keys choose the names of people. Each is escaped and cut, and the server's
 * own words come first, so that no title can look like a decision.
 */
import { drawControls } from './output-lines.ts';

const NAME_CHARS = 60;
/** The longest outcome, `superseded`. */
const OUTCOME_CHARS = 10;

/** Undefined for any line that is not such a log entry. */
export function activityLine(line: string): string | undefined {
  if (!line.startsWith('{"level":"info","activity":')) return undefined;
  const entry = parsed(line);
  if (entry === undefined) return undefined;
  const { activity, at, outcome, subject, sessionTitle, sessionId } = entry;
  if (activity !== 'opened' && activity !== 'settled') return undefined;
  const what = name(activity === 'opened' ? 'asked' : outcome).padEnd(OUTCOME_CHARS);
  const by = subject === undefined ? '' : `, by ${name(subject)}`;
  const where = JSON.stringify(name(sessionTitle ?? sessionId));
  return `${timeOf(at)}  ${what}  ${name(entry['kind'])} ${JSON.stringify(name(entry['toolName']))} in ${where}${by}`;
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

/** In this machine's time zone. */
function timeOf(at: unknown): string {
  const date = new Date(Number(at));
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
