/** A conversation of a command-line agent, as its transcript is imported. */
import { importTranscript } from '../../../src/client/import-transcript.ts';
import type { Transport } from '../../../src/client/transport.ts';
import type { CliSession, HistoryEntry, HistoryExtent } from '../../../src/protocol/types.ts';

export const CLI: CliSession = {
  provider: 'claude-code',
  cliSessionId: '0f3c2a1b-4d5e-4f60-8a7b-9c0d1e2f3a4b',
  cwd: '/home/ada/projects/notes-that-move',
  model: 'claude-sonnet-5-5',
};

export const ASK = 'holdpoint ask "Which color?" --option Red --option Blue';

/** Turns of six entries: start, message, a text, a shell call with its result, end. */
export function conversation(
  turns: number,
  startsAt = Date.now() - turns * 10_000,
): HistoryEntry[] {
  return Array.from({ length: turns }, (_, turn): HistoryEntry[] => {
    const names = { turnId: `t${turn}`, responseId: `r${turn}` };
    const toolCallId = `shell-${turn}`;
    const command = turn === turns - 1 ? ASK : `ls notes/${turn}`;
    const at = startsAt + turn * 1_000;
    const entry = (n: number, rest: object) =>
      ({ id: `line-${turn}-${n}`, at: at + n, ...names, ...rest }) as HistoryEntry;
    return [
      entry(0, { type: 'turn_started', payload: {} }),
      entry(1, { type: 'user_message', payload: { text: `Message ${turn}` } }),
      entry(2, { type: 'assistant_text', payload: { text: `Step **${turn}** begins.` } }),
      entry(3, {
        type: 'tool_call',
        toolCallId,
        payload: { toolName: 'Bash', input: { command } },
      }),
      entry(4, { type: 'tool_result', toolCallId, payload: { output: `out ${turn}` } }),
      entry(5, { type: 'turn_ended', payload: { reason: 'completed' } }),
    ];
  }).flat();
}

export async function importConversation(
  transport: Transport,
  sessionId: string,
  entries: readonly HistoryEntry[],
  cli: CliSession = CLI,
): Promise<HistoryExtent> {
  return importTranscript(transport, sessionId, cli, entries);
}
