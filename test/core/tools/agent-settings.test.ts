/**
 * Settings that look right and cannot be used.
 *
 * A bug here lets a configured tool pass for a built-in tool, or fails a turn over settings that should have
 * been refused.
 */
import { describe, expect, it } from 'vitest';
import { BUILT_IN_TOOLS } from '../../../src/agent/tools/registry.ts';
import { agentSettingsProblem } from '../../../src/core/tools/agent-settings.ts';
import { AgentSettings } from '../../../src/protocol/schema/agent-settings.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';

const URL = 'https://tools.example.com/deploy';
const CLASSED = [
  'Grep',
  'Glob',
  'LS',
  'NotebookRead',
  'WebSearch',
  'WebFetch',
  'MultiEdit',
  'Bash',
];

interface ToolParts {
  readonly name?: string;
  readonly url?: string;
  readonly inputSchema?: JsonObject;
}

function tool({ name = 'deploy', url = URL, inputSchema = {} }: ToolParts = {}) {
  const schema = { type: 'object', ...inputSchema };
  return { type: 'http', name, description: 'Deploys.', inputSchema: schema, url };
}

function clientTool(parts: ToolParts) {
  const { url: _url, ...rest } = tool(parts);
  return { ...rest, type: 'client' };
}

function problemOf(tools: readonly object[], allowPrivateTools = false) {
  return agentSettingsProblem(AgentSettings.parse({ tools }), { allowPrivateTools });
}

describe('[RUN-8] settings of an agent', () => {
  it('without a fault pass', () => {
    expect(agentSettingsProblem({}, { allowPrivateTools: false })).toBeUndefined();
    expect(problemOf([tool(), clientTool({ name: 'open_editor' })])).toBeUndefined();
    expect(problemOf([tool({ name: 'constructor' })])).toBeUndefined();
  });

  it.each([...BUILT_IN_TOOLS.map(({ name }) => name), ...CLASSED])(
    'may not have a tool of their own by the name %s',
    (name) => {
      const problem = `tools[0] (${name}): the name is reserved`;
      expect(problemOf([tool({ name })])).toBe(problem);
      expect(problemOf([clientTool({ name })])).toBe(problem);
    },
  );

  it('name the tool whose schema cannot be used', () => {
    const inputSchema = { allOf: [{ $ref: '#' }] };
    const expected = /^tools\[1\] \(b\): inputSchema cannot be used: .*circle/;
    expect(problemOf([tool(), tool({ name: 'b', inputSchema })])).toMatch(expected);
    expect(problemOf([tool(), clientTool({ name: 'b', inputSchema })])).toMatch(expected);
  });

  it('may have private addresses only where that is allowed', () => {
    const near = [tool({ url: 'http://localhost:3000/run' })];
    expect(problemOf(near)).toBe('tools[0] (deploy): the URL does not use HTTPS');
    expect(problemOf(near, true)).toBeUndefined();
    expect(problemOf([tool({ url: 'file:///etc/passwd' })], true)).toContain('HTTP');
  });
});
