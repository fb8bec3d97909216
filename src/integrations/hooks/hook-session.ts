/** The session of a conversation that a command-line agent began: its id and its title, wherever it is asked from. */
import type { CliSession } from '../../protocol/types.ts';
import { TITLE_CHARS } from '../../protocol/limits.ts';
import { visibleText } from '../../protocol/escapes.ts';

/** SHA-256 in hexadecimal digits; each platform has its own. */
export type HashText = (text: string) => string;

/** Two processes of one conversation that start at once find the same session by this id. */
export function sessionIdOf({ provider, cliSessionId }: CliSession, hash: HashText): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(cliSessionId)) return `${provider}:${cliSessionId}`;
  return `${provider}:sha256.${hash(cliSessionId).slice(0, 32)}`;
}

/** The name of the folder, and the program. */
export function titleOf(folder: string | undefined, cli: CliSession | undefined): string {
  const name = folder?.split(/[/\\]/).findLast((part) => part !== '') ?? folder;
  const program = cli === undefined ? 'command line' : (PROGRAMS[cli.provider] ?? cli.provider);
  const title = name === undefined || name === '' ? program : `${name} (${program})`;
  return visibleText(title).slice(0, TITLE_CHARS);
}

const PROGRAMS: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
};
