/**
 * Settings that look right and cannot be used.
 *
 * A bug here lets a configured tool pass for a built-in tool, or fails a turn over settings that should have
 * been refused.
 */
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/core/kinds/index.ts';
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

function askingTool(parts: object) {
  const { url: _url, ...rest } = tool({});
  return { ...rest, type: 'person', kind: 'form', ...parts };
}

function problemOf(tools: readonly object[], allowPrivateTools = false) {
  const rules = { allowPrivateTools, kinds: KINDS };
  return agentSettingsProblem(AgentSettings.parse({ tools }), rules);
}

describe('[RUN-8] settings of an agent', () => {
  it('without a fault pass', () => {
    expect(problemOf([])).toBeUndefined();
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

  it.each([
    [{}, undefined],
    [{ kind: 'question', request: {} }, undefined],
    [{ request: { title: 'Deploy' } }, undefined],
    [{ kind: 'approval' }, 'kind: a tool of the type http or client is asked about by itself'],
    [{ kind: 'plan_review' }, 'kind: ExitPlanMode asks for a plan review'],
    [{ kind: 'riddle' }, 'kind: there is no kind "riddle"'],
    [{ request: { surprise: 1 } }, 'request.surprise: unknown field'],
    [{ request: { toString: 1 } }, 'request.toString: unknown field'],
    [{ request: { title: 3 } }, 'request.title: use text, not a number'],
  ])('may have a tool that asks a person with %j only where it can be asked', (parts, why) => {
    const problem = why && `tools[0] (deploy): ${why}`;
    expect(problemOf([askingTool(parts)])).toBe(problem);
  });

  it('may have private addresses only where that is allowed', () => {
    const near = [tool({ url: 'http://localhost:3000/run' })];
    expect(problemOf(near)).toBe('tools[0] (deploy): the URL does not use HTTPS');
    expect(problemOf(near, true)).toBeUndefined();
    expect(problemOf([tool({ url: 'file:///etc/passwd' })], true)).toContain('HTTP');
  });
});
