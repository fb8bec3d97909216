/**
 * Transcripts of Codex of the generations that could not be recorded: lines by hand, in the formats that 0.2 to 0.46 wrote.
 * The recorded one is of 0.169 (`recorded.test.ts`).
 */
import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../../src/integrations/transcripts/transcript-reader.ts';
import { codex, linesOf } from './lines.ts';

const read = (...lines: readonly object[]) => readTranscript('codex', linesOf(...lines));
const shown = (...lines: readonly object[]) =>
  read(...lines).entries.map(({ type, payload }) => {
    const [value = ''] = Object.values(payload);
    return `${type} ${typeof value === 'string' ? value : JSON.stringify(value)}`.trim();
  });

const message = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
});
const event = (second: number, type: string, fields: object) =>
  codex(second, 'event_msg', { type, ...fields });
const item = (second: number, payload: object) => codex(second, 'response_item', payload);
const CONTEXT = message('user', '<environment_context>\n<cwd>/work</cwd>');

describe('a transcript of Codex', () => {
  it('[ALN-1] reads messages from the events, and calls from the response items', () => {
    const lines = [
      codex(1, 'session_meta', { id: 'thread-1', cwd: '/work' }),
      item(1, message('developer', 'Be brief.')),
      item(1, CONTEXT),
      item(1, message('user', 'Hello')),
      event(1, 'user_message', { message: 'Hello' }),
      codex(1, 'turn_context', { model: 'model-1', cwd: '/work' }),
      event(2, 'agent_reasoning', { text: 'Hm.' }),
      item(2, { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }),
      event(3, 'agent_message', { message: 'I look.' }),
      item(3, message('assistant', 'I look.')),
      item(4, {
        type: 'function_call',
        name: 'shell',
        arguments: '{"command":["ls"]}',
        call_id: 'c1',
      }),
      event(5, 'exec_command_end', { call_id: 'c1', exit_code: 2 }),
      item(5, { type: 'function_call_output', call_id: 'c1', output: 'no' }),
      codex(6, 'compacted', { message: 'Earlier…' }),
      event(7, 'user_message', { message: 'Again' }),
    ];
    expect(shown(...lines)).toEqual([
      'turn_started',
      'user_message Hello',
      'thinking Hm.',
      'assistant_text I look.',
      'tool_call shell',
      'tool_result no',
      'turn_ended completed',
      'turn_started',
      'user_message Again',
    ]);
    const { entries, session } = read(...lines);
    expect(session).toEqual({
      provider: 'codex',
      cliSessionId: 'thread-1',
      cwd: '/work',
      model: 'model-1',
    });
    expect(entries[4]).toMatchObject({
      id: 'line-11',
      toolCallId: 'c1',
      payload: { input: { command: ['ls'] } },
    });
    expect(entries[5]?.payload).toEqual({ output: 'no', isError: true });
    expect(entries.map(({ turnId }) => turnId).slice(5)).toEqual([
      'line-5',
      'line-5',
      'line-15',
      'line-15',
    ]);
  });

  it('[ALN-1] reads messages from the response items of a file without events', () => {
    const bare = [
      { id: 'thread-2', timestamp: '2025-08-01T00:00:00.000Z', instructions: null },
      { record_type: 'state' },
      CONTEXT,
      message('user', 'Hello'),
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      message('assistant', 'I look.'),
      { type: 'local_shell_call', call_id: 'c1', action: { type: 'exec', command: ['ls'] } },
      { type: 'function_call_output', call_id: 'c1', output: { content: 'a', success: true } },
      message('assistant', 'Done.'),
      message('user', 'Again'),
      message('assistant', 'Yes.'),
      { record_type: 'state' },
    ];
    expect(shown(...bare)).toEqual([
      'turn_started',
      'user_message Hello',
      'thinking Hm.',
      'assistant_text I look.',
      'tool_call local_shell_call',
      'tool_result a',
      'assistant_text Done.',
      'turn_ended completed',
      'turn_started',
      'user_message Again',
      'assistant_text Yes.',
    ]);
    expect(read(...bare).session).toEqual({ provider: 'codex', cliSessionId: 'thread-2' });
  });

  it('[ALN-1] loses no message that has no event, and shows none twice', () => {
    expect(
      shown(
        item(1, message('assistant', 'Without an event.')),
        event(2, 'agent_reasoning', { text: 'Hm.' }),
        event(3, 'agent_message', { message: 'With one.' }),
        item(3, message('assistant', 'With one.')),
      ),
    ).toEqual(['assistant_text Without an event.', 'thinking Hm.', 'assistant_text With one.']);
  });

  it('[ALN-1] takes the turns of the program, with their ids, interrupts and errors', () => {
    const lines = [
      event(1, 'task_started', { turn_id: 'turn-1' }),
      event(1, 'user_message', { message: 'One' }),
      event(2, 'user_message', { message: 'And two' }),
      event(3, 'error', { message: 'No answer' }),
      event(4, 'turn_aborted', { turn_id: 'turn-1', reason: 'interrupted' }),
      event(5, 'task_started', { turn_id: 'turn-2' }),
      event(6, 'task_complete', { turn_id: 'turn-2' }),
    ];
    expect(shown(...lines)).toEqual([
      'turn_started',
      'user_message One',
      'user_message And two',
      'error No answer',
      'turn_ended interrupted',
      'turn_started',
      'turn_ended completed',
    ]);
    expect(read(...lines).entries.map(({ turnId }) => turnId)).toEqual([
      ...Array.from({ length: 5 }, () => 'turn-1'),
      'turn-2',
      'turn-2',
    ]);
  });

  it.each([
    [
      '{"output":"no","metadata":{"exit_code":1}}',
      { output: { output: 'no', metadata: { exit_code: 1 } }, isError: true },
    ],
    [
      '{"output":"a","metadata":{"exit_code":0}}',
      { output: { output: 'a', metadata: { exit_code: 0 } } },
    ],
    ['{"a":1}', { output: '{"a":1}' }],
    ['{cut', { output: '{cut' }],
    ['4', { output: '4' }],
    [
      [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'data:' },
      ],
      { output: 'a\n[image]' },
    ],
    [
      { content: 'no', success: false },
      { output: 'no', isError: true },
    ],
  ])('[ALN-1] reads the output %j', (output, payload) => {
    const { entries } = read(item(1, { type: 'function_call_output', call_id: 'c1', output }));
    expect(entries[0]?.payload).toEqual(payload);
  });

  it.each([
    ['custom_tool_call', { input: '*** Begin Patch' }, { input: '*** Begin Patch' }],
    ['function_call', { arguments: '{"a":1}' }, { a: 1 }],
    ['function_call', { arguments: '{}' }, {}],
    ['function_call', { arguments: '' }, {}],
    ['function_call', { arguments: '[1]' }, { input: [1] }],
    ['function_call', { arguments: '{"a":' }, { input: '{"a":' }],
  ])('[ALN-1] reads the input of %s %j', (type, fields, input) => {
    const { entries } = read(item(1, { type, name: 'tool', call_id: 'c1', ...fields }));
    expect(entries[0]?.payload).toEqual({ toolName: 'tool', input });
  });
});
