/** Lines of transcripts by hand, for what the recorded ones do not hold. */
const AT = Date.parse('2026-11-19T05:00:00.000Z');

export const timeOf = (second: number) => AT + second * 1_000;
const timestamp = (second: number) => new Date(timeOf(second)).toISOString();

export const linesOf = (...lines: readonly object[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Lines of Claude Code. */
export const claude = {
  user: (second: number, content: unknown, more: object = {}) => ({
    type: 'user',
    uuid: `user-${second}`,
    timestamp: timestamp(second),
    sessionId: 'session-1',
    message: { role: 'user', content },
    ...more,
  }),
  assistant: (second: number, id: string, block: object, more: object = {}) => ({
    type: 'assistant',
    uuid: `assistant-${second}`,
    timestamp: timestamp(second),
    sessionId: 'session-1',
    message: { id, role: 'assistant', model: 'model-1', content: [block], stop_reason: null },
    ...more,
  }),
  result: (id: string, content: unknown, isError?: boolean) => ({
    type: 'tool_result',
    tool_use_id: id,
    content,
    ...(isError !== undefined && { is_error: isError }),
  }),
};

/** A line of Codex. */
export const codex = (second: number, type: string, payload: object) => ({
  timestamp: timestamp(second),
  type,
  payload,
});
