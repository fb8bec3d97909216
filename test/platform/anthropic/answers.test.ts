/** A bug here looks like an answer that differs from the answer of the model, or like a stored partial answer. */
import { describe, expect, it } from 'vitest';
import { STOP_REASONS } from '../../../src/agent/model.ts';
import { answer, between } from '../../support/messages-api/reply.ts';
import { callWith } from './calls.ts';

const BLOCKS = [
  { type: 'thinking', thinking: 'Let me see 🙂', signature: 'c2lnbmVk' },
  { type: 'redacted_thinking', data: 'c2VhbGVk' },
  { type: 'text', text: 'I read the file — both of them.' },
  { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'ä.md', limit: 3 } },
  { type: 'tool_use', id: 'toolu_2', name: 'List', input: {} },
];
const MESSAGE = {
  role: 'assistant',
  content: [{ type: 'thinking', text: 'Let me see 🙂', signature: 'c2lnbmVk' }, ...BLOCKS.slice(1)],
};

describe('[RUN-1] an answer', () => {
  it('arrives whole, with every kind of block unchanged', async () => {
    const reply = answer(BLOCKS, { stopReason: 'tool_use', usage: { output_tokens: 42 } });
    const { outcome } = await callWith(reply);
    expect(outcome).toEqual({
      type: 'answered',
      message: MESSAGE,
      stopReason: 'tool_use',
      usage: { inputTokens: 11, outputTokens: 42, cacheReadTokens: 3, cacheWriteTokens: 0 },
      leftOut: [],
    });
  });

  it('is the same when it arrives slowly', async () => {
    const { outcome } = await callWith(between(answer(BLOCKS), { tick: true }));
    expect(outcome).toMatchObject({ type: 'answered', message: MESSAGE });
  });

  it.each(STOP_REASONS)('may stop with %s', async (stopReason) => {
    const { outcome } = await callWith(answer([{ type: 'text', text: 'Hm' }], { stopReason }));
    expect(outcome).toMatchObject({ type: 'answered', stopReason });
  });

  it('may stop for an unknown reason', async () => {
    const reply = answer([{ type: 'text', text: 'Hm' }], { stopReason: 'too_bright' });
    const { outcome } = await callWith(reply);
    expect(outcome).toMatchObject({ type: 'answered', stopReason: { unknown: 'too_bright' } });
  });

  it('may be empty', async () => {
    const { outcome } = await callWith(answer([], { stopReason: 'refusal' }));
    expect(outcome).toMatchObject({ type: 'answered', message: { content: [] } });
  });

  it('treats a call without input as a call with empty input', async () => {
    const blocks = [{ type: 'tool_use', id: 'toolu_1', name: 'List', json: '' }];
    const { outcome } = await callWith(answer(blocks, { stopReason: 'tool_use' }));
    expect(outcome).toMatchObject({ message: { content: [{ name: 'List', input: {} }] } });
  });

  it.each(['max_tokens', 'model_context_window_exceeded', 'refusal'])(
    'that %s cut off in a call arrives without that call, and names the call',
    async (stopReason) => {
      const blocks = [
        { type: 'text', text: 'I write' },
        { type: 'tool_use', id: 'toolu_1', name: 'Write', json: '{"path":"a.md","content":"Dea' },
      ];
      const { outcome } = await callWith(answer(blocks, { stopReason }));
      expect(outcome).toMatchObject({
        type: 'answered',
        message: { content: [{ type: 'text', text: 'I write' }] },
        leftOut: [expect.stringContaining('The input of Write')],
      });
    },
  );
});

describe('additions to the API', () => {
  it('an event of an unknown type is skipped', async () => {
    const known = answer([{ type: 'text', text: 'Hm' }]);
    const reply = between(known, { event: { type: 'weather', index: 'sunny' } });
    expect((await callWith(reply)).outcome).toMatchObject({
      message: { content: [{ type: 'text', text: 'Hm' }] },
      leftOut: [],
    });
  });

  it('a block of an unknown type is left out and named', async () => {
    const reply = answer([
      { type: 'hologram', depth: 3 },
      { type: 'text', text: 'Hm' },
    ]);
    expect((await callWith(reply)).outcome).toMatchObject({
      message: { content: [{ type: 'text', text: 'Hm' }] },
      leftOut: [expect.stringContaining('hologram')],
    });
  });

  it('a delta of an unknown type is passed over', async () => {
    const known = answer([{ type: 'text', text: 'Hm' }]);
    const event = { type: 'content_block_delta', index: 0, delta: { type: 'hum_delta', hum: 1 } };
    const steps = 'steps' in known ? known.steps.toSpliced(3, 0, { event }) : [];
    expect((await callWith({ steps })).outcome).toMatchObject({
      message: { content: [{ type: 'text', text: 'Hm' }] },
    });
  });
});

describe('[LOG-5, STR-1] the preview of an answer', () => {
  it('adds up to the answer, block by block', async () => {
    const { deltas } = await callWith(answer(BLOCKS, { stopReason: 'tool_use' }));
    const joined = (type: 'text' | 'thinking') =>
      deltas.flatMap((delta) => (delta.type === type ? [delta.text] : [])).join('');
    expect(joined('thinking')).toBe('Let me see 🙂');
    expect(joined('text')).toBe('I read the file — both of them.');
    const ofCall = deltas.filter(({ block }) => block === 3);
    expect(ofCall[0]).toEqual({
      type: 'tool_call_start',
      block: 3,
      toolUseId: 'toolu_1',
      toolName: 'Read',
    });
    expect(ofCall.at(-1)).toEqual({ type: 'tool_call_end', block: 3, toolUseId: 'toolu_1' });
    const json = ofCall.flatMap((delta) => (delta.type === 'tool_call_delta' ? [delta.json] : []));
    expect(JSON.parse(json.join(''))).toEqual({ path: 'ä.md', limit: 3 });
  });
});
