/** A bug here looks like a conversation that reaches the model otherwise than it is stored. */
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../../src/agent/message.ts';
import type { ModelRequest } from '../../../src/agent/model.ts';
import { BUILT_IN_TOOLS } from '../../../src/agent/tools/registry.ts';
import { writeRequest } from '../../../src/platform/anthropic/request-text.ts';
import { answer } from '../../support/messages-api/reply.ts';
import { API_KEY, callWith, REQUEST } from './calls.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const FINE = answer([{ type: 'text', text: 'Fine' }]);

/** As many messages, which the user ends. */
function longRequest(messages: number): ModelRequest {
  return {
    ...REQUEST,
    system: 'Be brief.',
    tools: BUILT_IN_TOOLS,
    messages: Array.from({ length: messages }, (_, index): ModelMessage => {
      const content = [{ type: 'text', text: `Words ${index}` }] as const;
      return index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content };
    }),
  };
}

/** Where the marks are, in the order of the API: tools and prompt stand before the messages. */
function marksIn(value: unknown, place: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'cache_control' in value ? [place.join('.')] : [];
  return [...own, ...Object.entries(value).flatMap(([key, one]) => marksIn(one, [...place, key]))];
}

describe('a request', () => {
  it('holds the conversation in the format of the API', async () => {
    const { api } = await callWith(FINE, {
      request: {
        ...REQUEST,
        system: 'Be brief.',
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', text: 'Hm', signature: 'signed' },
              { type: 'redacted_thinking', data: 'sealed' },
              { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a.md' } },
              { type: 'tool_use', id: 'toolu_2', name: 'List', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', toolUseId: 'toolu_1', content: 'gone', isError: true },
              { type: 'tool_result', toolUseId: 'toolu_2', content: '', isError: false },
              { type: 'text', text: 'And?' },
            ],
          },
        ],
        tools: BUILT_IN_TOOLS.slice(2, 3),
      },
    });
    expect(api.received[0]?.problem).toBeUndefined();
    expect(api.received[0]?.body).toEqual({
      model: 'claude-sonnet-5-5',
      max_tokens: 1_000,
      stream: true,
      system: [{ type: 'text', text: 'Be brief.', ...MARK }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hello', ...MARK }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 'signed' },
            { type: 'redacted_thinking', data: 'sealed' },
            { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a.md' } },
            { type: 'tool_use', id: 'toolu_2', name: 'List', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'gone', is_error: true },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: '' },
            { type: 'text', text: 'And?', ...MARK },
          ],
        },
      ],
      tools: [
        {
          name: 'Read',
          description: BUILT_IN_TOOLS[2]?.description,
          input_schema: BUILT_IN_TOOLS[2]?.inputSchema,
          ...MARK,
        },
      ],
    });
  });

  it('[RUN-12] marks for the cache the ends of tools, prompt, this request and the one before', async () => {
    const { api } = await callWith(FINE, { request: longRequest(9) });
    expect(marksIn(api.received[0]?.body)).toEqual([
      'system.0',
      'tools.5',
      'messages.6.content.0',
      'messages.8.content.0',
    ]);
    expect(api.received[0]?.problem).toBeUndefined();
  });

  it('[RUN-12] marks nothing where the setting is off', async () => {
    const { api } = await callWith(FINE, { request: { ...longRequest(9), isCached: false } });
    expect(marksIn(api.received[0]?.body)).toEqual([]);
  });

  it('[RUN-11] has the beginning of the request before it, but for the marks', async () => {
    const whole = longRequest(9);
    const texts = [whole, { ...whole, messages: whole.messages.slice(0, 7) }].map((request) =>
      writeRequest(request),
    );
    const [longer = '', shorter = ''] = texts.map((text) =>
      text.replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
    );
    expect(longer.startsWith(shorter.slice(0, -2))).toBe(true);
    expect(JSON.parse(texts[0] ?? '')).toEqual(JSON.parse(writeRequest(structuredClone(whole))));
  });

  it('[RUN-11] writes a message that was sent before no second time', () => {
    const request = longRequest(9);
    let written = 0;
    const messages = request.messages.map((message) => {
      const content = message.content.map((block) =>
        Object.defineProperty({ ...block }, 'text', {
          enumerable: true,
          get: () => ((written += 1), 'Words'),
        }),
      );
      return { ...message, content } as ModelMessage;
    });
    writeRequest({ ...request, messages: messages.slice(0, 7) });
    const before = written;
    writeRequest({ ...request, messages });
    // The two new ones, and the end of before, whose marks have moved.
    expect(written - before).toBeLessThanOrEqual(5);
    expect(before).toBe(7);
  });

  it('[RUN-11] writes the schema of a tool once, with the mark and without', () => {
    let written = 0;
    const tools = ['First', 'Second'].map((name) => ({
      name,
      description: name,
      get inputSchema() {
        written += 1;
        return { type: 'object' } as const;
      },
    }));
    const request = { ...REQUEST, tools };
    const texts = [request, { ...request, isCached: false }, request].map((one) =>
      writeRequest(one),
    );
    expect(written).toBe(2);
    expect(texts[2]).toBe(texts[0]);
    const [marked, unmarked] = texts.map(
      (text) => (JSON.parse(text) as { tools: unknown[] }).tools,
    );
    const plain = tools.map(({ name }) => ({
      name,
      description: name,
      input_schema: { type: 'object' },
    }));
    expect(unmarked).toEqual(plain);
    expect(marked).toEqual([plain[0], { ...plain[1], ...MARK }]);
  });

  it('[RUN-11] keeps no beginning for another conversation with the same first message', () => {
    const request = longRequest(9);
    const other = request.messages.toSpliced(3, 2);
    for (const messages of [request.messages, other, request.messages.slice(0, 5), other]) {
      const text = writeRequest({ ...request, messages });
      expect(text).toBe(writeRequest({ ...request, messages: structuredClone(messages) }));
    }
  });

  it('[ATT-6] holds a picture as the API takes it, and names a file that has no content', async () => {
    const file = {
      attachmentId: `att_${'0'.repeat(32)}`,
      name: 'a.pdf',
      mediaType: 'application/pdf',
      bytes: 9,
      path: '/a',
    };
    const { api } = await callWith(FINE, {
      request: {
        ...REQUEST,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', mediaType: 'image/webp', data: 'QUJD' },
              { type: 'file', file },
            ],
          },
        ],
      },
    });
    expect(api.received[0]?.problem).toBeUndefined();
    expect(api.received[0]?.body).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/webp', data: 'QUJD' },
            },
            { type: 'text', text: 'Attached: a.pdf (application/pdf, 9 B)' },
          ],
        },
      ],
    });
  });

  it('carries the given key and no other', async () => {
    const { api } = await callWith(FINE);
    expect(api.received[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(api.received[0]?.headers['x-api-key']).toBeUndefined();
  });

  it('asks for thinking only where it is set', async () => {
    const { api } = await callWith(FINE, { thinking: { type: 'adaptive' } });
    expect(api.received[0]?.body).toMatchObject({ thinking: { type: 'adaptive' } });
  });
});
