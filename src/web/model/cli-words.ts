/** The words for the conversation of a command-line agent. */
import { visibleText } from '../../protocol/escapes.ts';

const PROVIDERS: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
};

export function providerName(provider: string): string {
  return (Object.hasOwn(PROVIDERS, provider) && PROVIDERS[provider]) || visibleText(provider);
}

const SHORT_ID_CHARS = 14;
const START_CHARS = 8;
const END_CHARS = 4;

/** Both ends: ids that begin with their time have the same start for a minute. */
export function shortCliId(cliSessionId: string): string {
  const id = visibleText(cliSessionId);
  return id.length <= SHORT_ID_CHARS ? id : `${id.slice(0, START_CHARS)}…${id.slice(-END_CHARS)}`;
}

export function entryCount(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries.toLocaleString('en')} entries`;
}
