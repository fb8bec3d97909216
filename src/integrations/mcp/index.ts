/** `holdpoint/mcp`: the tools of Holdpoint over stdio, and the questions of MCP servers for hosts that are clients. */
import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import { serveToolsOverStdio, type StdioOptions } from './serve-stdio.ts';

export {
  answerElicitation,
  type Elicitation,
  type ElicitationOptions,
} from './answer-elicitation.ts';

export type ServeOptions = Partial<Pick<StdioOptions, 'streams' | 'version' | 'warn'>>;

/**
 * Serves `ask_human`, `approve` and `check_answer` over stdin and stdout until the client closes them.
 *
 * ```ts
 * serveTools(connect());
 * ```
 */
export function serveTools(
  holdpoint: Holdpoint,
  { version = '0', warn = console.warn, streams }: ServeOptions = {},
): StdioServerHandle {
  return serveToolsOverStdio({
    transport: holdpoint.transport,
    session: () => holdpoint.session(),
    version,
    warn,
    ...(streams !== undefined && { streams }),
  });
}
