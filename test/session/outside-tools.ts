/** An agent with tools that act outside its session. */
import type { AgentTool } from '../../src/protocol/schema/agent-settings.ts';
import { AgentWorld } from '../support/agent-world.ts';
import { SqliteStorage } from '../support/session-storage.ts';

export const inputSchema = { type: 'object' } as const;

export const MAIL: AgentTool = {
  type: 'http',
  name: 'SendMail',
  description: 'Send a mail.',
  inputSchema,
  class: 'execute',
  idempotent: false,
  url: 'http://127.0.0.1:1/mail',
  timeoutSeconds: 30,
};

const LOOKUP: AgentTool = { ...MAIL, name: 'Lookup', class: 'read', idempotent: true };

const SCREEN: AgentTool = {
  type: 'client',
  name: 'Screenshot',
  description: 'Take a picture.',
  inputSchema,
  class: 'read',
  idempotent: true,
  timeoutSeconds: 60,
};

const settings = { tools: [MAIL, LOOKUP, SCREEN] };

export const SEND = { id: 'toolu_1', name: 'SendMail', input: { to: 'ada' } };

export const SHOOT = { id: 'toolu_3', name: 'Screenshot', input: {} };

export function world(
  mode: 'default' | 'bypassPermissions' | 'acceptEdits' = 'default',
): AgentWorld {
  return new AgentWorld(new SqliteStorage(), { settings, mode });
}

export const result = (toolCallId: string, output = 'A picture') =>
  ({ type: 'tool.result', toolCallId, output, isError: false }) as const;
