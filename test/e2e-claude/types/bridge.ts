/** Compiled against the real package by `npm run e2e:claude`; nothing here runs. */
import {
  type CanUseTool,
  type OnElicitation,
  type PermissionResult,
  query,
} from '@anthropic-ai/claude-agent-sdk';
import {
  claude,
  createCanUseTool,
  createOnElicitation,
  EventQueue,
  mergeWithInteractions,
  type PermissionUpdate,
} from 'holdpoint/claude';
import { connect, type TurnEvent } from 'holdpoint/client';

const client = connect();
export const canUseTool: CanUseTool = createCanUseTool({ client });
export const onElicitation: OnElicitation = createOnElicitation({ client });

/** The bridge accepts the SDK's suggestions, and the SDK accepts the bridge's. */
type Suggestions = NonNullable<Parameters<CanUseTool>[2]['suggestions']>;
export const permissionUpdates: readonly PermissionUpdate[] = [] as Suggestions;
export const given: Suggestions = [] as PermissionUpdate[];

/** The bridge never returns null, which would block the tool permanently. */
export const decided: Promise<PermissionResult> = createCanUseTool({ client })('Bash', {});

const queue = new EventQueue<TurnEvent>();
const messages = query({ prompt: '', options: { permissionMode: 'default', ...claude(client) } });
for await (const message of mergeWithInteractions(messages, queue)) {
  if (message.type === 'approval_required') message.toolName.trim();
  if (message.type === 'result' && message.subtype === 'success') message.result.trim();
  // @ts-expect-error The result is neither of the two.
  if (message.type === 'riddle') throw new Error('Sphinx');
}

// @ts-expect-error A mode is not an answer of the bridge.
export const wrong: CanUseTool = async () => ({ behavior: 'ask' });
