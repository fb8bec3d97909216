/** The shape of the settings of an agent. A bug here stores settings that no turn can run with. */
import { describe, expect, it } from 'vitest';
import { AgentSettings } from '../../src/protocol/schema/agent-settings.ts';
import { LIMITS } from '../../src/protocol/limits.ts';

const HTTP = {
  type: 'http',
  name: 'deploy',
  description: 'Deploy a version.',
  inputSchema: { type: 'object', properties: { version: { type: 'string' } } },
  url: 'https://tools.example.com/deploy',
};
const { url: _url, ...SHARED } = HTTP;
const CLIENT = { ...SHARED, type: 'client', name: 'open_editor' };

const isTaken = (settings: unknown) => AgentSettings.safeParse(settings).success;
const withTool = (change: object, tool: object = HTTP) => ({ tools: [{ ...tool, ...change }] });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...HTTP, name: `tool-${index}` }));
/** A schema whose JSON has exactly so many bytes; `é` has two of them. */
function schemaOf(bytes: number) {
  const empty = { type: 'object', description: '' };
  const room = bytes - JSON.stringify(empty).length;
  return { ...empty, description: 'é'.repeat(room / 2) + 'x'.repeat(room % 2) };
}

describe('[RUN-8] the settings of an agent', () => {
  it('may be empty, and gain no defaults', () => {
    expect(AgentSettings.parse({})).toEqual({});
  });

  it('fill in the missing fields of a tool, on the safe side', () => {
    const defaults = { class: 'execute', idempotent: false };
    expect(AgentSettings.parse({ tools: [HTTP, CLIENT] }).tools).toEqual([
      { ...HTTP, ...defaults, timeoutSeconds: 60 },
      { ...CLIENT, ...defaults, timeoutSeconds: 600 },
    ]);
  });

  it.each([
    { model: 'm' },
    { model: 'm'.repeat(200), system: 's'.repeat(LIMITS.textChars) },
    { maxSteps: 1, maxTokens: 256 },
    { maxSteps: 200, maxTokens: 64_000 },
    { tools: many(LIMITS.agentTools) },
    withTool({ class: 'read', idempotent: true, timeoutSeconds: 300 }),
    withTool({ timeoutSeconds: 7 * 86_400 }, CLIENT),
    withTool({ name: 'a'.repeat(64), description: 'd'.repeat(4_000) }),
    withTool({ inputSchema: schemaOf(LIMITS.toolSchemaBytes) }),
  ])('may be these (%#)', (settings) => {
    expect(AgentSettings.safeParse(settings).error).toBeUndefined();
  });

  it.each([
    { surprise: true },
    { model: '' },
    { model: 'm'.repeat(201) },
    { system: ' \n' },
    { system: 's'.repeat(LIMITS.textChars + 1) },
    { maxSteps: 0 },
    { maxSteps: 201 },
    { maxSteps: 1.5 },
    { maxTokens: 255 },
    { maxTokens: 64_001 },
    { tools: many(LIMITS.agentTools + 1) },
    { tools: [HTTP, { ...CLIENT, name: HTTP.name }] },
  ])('may not be these (%#)', (settings) => {
    expect(isTaken(settings)).toBe(false);
  });

  it.each([
    { type: 'mcp' },
    { surprise: true },
    { name: '' },
    { name: 'two words' },
    { name: 'déployer' },
    { name: 'a'.repeat(65) },
    { description: '' },
    { description: 'd'.repeat(4_001) },
    { class: 'unknown' },
    { idempotent: 'yes' },
    { timeoutSeconds: 0 },
    { timeoutSeconds: 301 },
    { timeoutSeconds: 1.5 },
    { url: '' },
    { url: undefined },
    { inputSchema: { properties: {} } },
    { inputSchema: { type: 'string' } },
    { inputSchema: [] },
    { inputSchema: null },
    { inputSchema: schemaOf(LIMITS.toolSchemaBytes + 1) },
  ])('may not have such an HTTP tool (%#)', (change) => {
    expect(isTaken(withTool(change))).toBe(false);
  });

  it.each([{ url: HTTP.url }, { timeoutSeconds: 7 * 86_400 + 1 }])(
    'may not have such a client tool (%#)',
    (change) => {
      expect(isTaken(withTool(change, CLIENT))).toBe(false);
    },
  );

  it('have a limit for the whole, in bytes', () => {
    const tools = many(8).map((tool) => ({ ...tool, inputSchema: schemaOf(16_000) }));
    expect(isTaken({ tools })).toBe(true);
    expect(isTaken({ tools, system: 'é'.repeat(4_000) })).toBe(false);
  });
});
