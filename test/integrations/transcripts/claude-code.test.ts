/** What transcripts of Claude Code may hold beyond the recorded one. */
import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../../src/integrations/transcripts/transcript-reader.ts';
import { claude, linesOf, timeOf } from './lines.ts';

const { user, assistant, result } = claude;
const read = (...lines: readonly object[]) =>
  readTranscript('claude-code', linesOf(...lines)).entries;
const shown = (...lines: readonly object[]) =>
  read(...lines).map(({ type, payload }) => {
    const [value = ''] = Object.values(payload);
    return `${type} ${typeof value === 'string' ? value : JSON.stringify(value)}`.trim();
  });

describe('a transcript of Claude Code', () => {
  it('[ALN-1] skips sidechains, meta lines, summaries, system lines and snapshots', () => {
    expect(
      shown(
        { type: 'summary', summary: 'Earlier', leafUuid: 'x' },
        { type: 'file-history-snapshot', snapshot: {} },
        { type: 'system', subtype: 'informational', content: 'Hello', uuid: 's' },
        user(1, 'A side task', { isSidechain: true }),
        assistant(2, 'm0', { type: 'text', text: 'On the side' }, { isSidechain: true }),
        user(3, 'Caveat', { isMeta: true }),
        user(4, 'The conversation so far…', { isCompactSummary: true }),
        user(5, '<local-command-stdout>Compacted</local-command-stdout>'),
        { type: 'attachment', uuid: 'a', attachment: { type: 'date' } },
      ),
    ).toEqual([]);
  });

  it('[ALN-1] names ids by the uuid of the line, the message and the call', () => {
    expect(
      read(
        user(1, 'Hello'),
        assistant(2, 'm1', {
          type: 'tool_use',
          id: 'toolu_1',
          name: 'Bash',
          input: { command: 'ls' },
        }),
      ),
    ).toEqual([
      { id: 'user-1', at: timeOf(1), turnId: 'user-1', type: 'turn_started', payload: {} },
      {
        id: 'user-1:1',
        at: timeOf(1),
        turnId: 'user-1',
        type: 'user_message',
        payload: { text: 'Hello' },
      },
      {
        id: 'assistant-2',
        at: timeOf(2),
        turnId: 'user-1',
        responseId: 'm1',
        toolCallId: 'toolu_1',
        type: 'tool_call',
        payload: { toolName: 'Bash', input: { command: 'ls' } },
      },
    ]);
  });

  it('[ALN-1] names a line without uuid by its number, and gives it the time before', () => {
    const [, , entry] = read(user(1, 'Hello'), {
      type: 'assistant',
      message: { content: [{ type: 'text', text: 'Hi' }] },
    });
    expect(entry).toMatchObject({ id: 'line-2', at: timeOf(1) });
  });

  it('[ALN-1] reads an answer once that is written again with each of its lines', () => {
    const text = { type: 'text', text: 'I look.' };
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
    const again = assistant(3, 'm1', text);
    again.message.content = [text, call];
    expect(shown(assistant(1, 'm1', text), assistant(2, 'm1', text), again)).toEqual([
      'assistant_text I look.',
      'tool_call Bash',
    ]);
    expect(shown(assistant(1, 'm1', text), assistant(2, 'm2', text))).toHaveLength(2);
  });

  it('[ALN-1] takes the output of the tool before the text for the model', () => {
    const call = assistant(1, 'm1', { type: 'tool_use', id: 't1', name: 'Bash', input: {} });
    const output = { stdout: 'a', stderr: '' };
    const line = user(2, [result('t1', 'a')], { toolUseResult: output });
    expect(read(call, line).at(-1)?.payload).toEqual({ output });
    const failed = user(2, [result('t1', 'denied', true)]);
    expect(read(call, failed).at(-1)?.payload).toEqual({ output: 'denied', isError: true });
    const two = user(2, [result('t1', [{ type: 'text', text: 'a' }]), result('t2', 'b')], {
      toolUseResult: output,
    });
    expect(
      read(call, two)
        .slice(1)
        .map(({ payload }) => payload),
    ).toEqual([{ output: 'a' }, { output: 'b' }]);
  });

  it('[ALN-1] leaves an image out, and says so', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'AAAA' } };
    const line = user(1, [result('t1', [{ type: 'text', text: 'Seen:' }, image])], {
      toolUseResult: { type: 'image', file: { base64: 'AAAA' } },
    });
    const { entries, warnings } = readTranscript('claude-code', linesOf(line));
    expect(entries[0]?.payload).toEqual({ output: 'Seen:\n[image]' });
    expect(warnings).toEqual([{ line: 1, what: 'an image was left out' }]);
  });

  it('[ALN-1] begins a turn with words and not with results alone', () => {
    const lines = [
      user(1, 'One'),
      user(2, [result('t1', 'a')]),
      user(3, [result('t2', 'b'), { type: 'text', text: 'Two' }]),
    ];
    expect(shown(...lines)).toEqual([
      'turn_started',
      'user_message One',
      'tool_result a',
      'tool_result b',
      'turn_ended completed',
      'turn_started',
      'user_message Two',
    ]);
  });

  it('[ALN-1] ends a turn after an answer that stopped, once the next line is there', () => {
    const last = assistant(2, 'm1', { type: 'text', text: 'Done.' });
    const stopped = { ...last, message: { ...last.message, stop_reason: 'end_turn' } };
    expect(shown(user(1, 'One'), stopped).at(-1)).toBe('assistant_text Done.');
    const mode = { type: 'mode', mode: 'normal' };
    expect(shown(user(1, 'One'), stopped, mode).at(-1)).toBe('turn_ended completed');
    const hooked = [mode, assistant(3, 'm2', { type: 'text', text: 'More.' }), user(4, 'Two')];
    expect(shown(user(1, 'One'), stopped, ...hooked).slice(2)).toEqual([
      'assistant_text Done.',
      'turn_ended completed',
      'assistant_text More.',
      'turn_ended completed',
      'turn_started',
      'user_message Two',
    ]);
  });

  it('[ALN-1] shows an interrupt as the end of its turn, and an error of the API as an error', () => {
    const failed = assistant(
      2,
      'm1',
      { type: 'text', text: 'API Error: 529' },
      { isApiErrorMessage: true },
    );
    const interrupt = user(3, [{ type: 'text', text: '[Request interrupted by user]' }]);
    expect(shown(user(1, 'One'), failed, interrupt).slice(2)).toEqual([
      'error API Error: 529',
      'turn_ended interrupted',
    ]);
  });

  it('[ALN-1] shows a slash command as it was typed', () => {
    const command =
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>src now</command-args>';
    expect(shown(user(1, command)).at(-1)).toBe('user_message /review src now');
    expect(shown(user(1, '<command-name>/cost</command-name>')).at(-1)).toBe('user_message /cost');
  });
});
