/** A bug here looks like a conversation that reaches the model otherwise than it is stored. */
import { describe, expect, it } from 'vitest';
import { BUILT_IN_TOOLS } from '../../../src/agent/tools/registry.ts';
import { answer } from '../../support/messages-api/reply.ts';
import { API_KEY, callWith, REQUEST } from './calls.ts';

const FINE = answer([{ type: 'text', text: 'Fine' }]);

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
      cache_control: { type: 'ephemeral' },
      stream: true,
      system: 'Be brief.',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
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
            { type: 'text', text: 'And?' },
          ],
        },
      ],
      tools: [
        {
          name: 'Read',
          description: BUILT_IN_TOOLS[2]?.description,
          input_schema: BUILT_IN_TOOLS[2]?.inputSchema,
        },
      ],
    });
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
