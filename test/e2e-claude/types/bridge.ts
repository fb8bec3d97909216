/** Compiled against the real package by `npm run e2e:claude`; nothing here runs. */
import {
  type CanUseTool,
  type HookCallback,
  type OnElicitation,
  type Options,
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

/** The hooks of the bridge stand beside those of the host, in one spread. */
const log: HookCallback = async () => ({});
const own = { PreToolUse: [{ matcher: 'Read', hooks: [log] }], SessionEnd: [{ hooks: [log] }] };
export const deferring: Options = { ...claude(client, { defer: { afterSeconds: 2 } }) };
export const withOwn: Options = { ...claude(client, { defer: true, hooks: own }) };
export const toldOfEdits: NonNullable<Options['hooks']> = claude(client, { hooks: {} }).hooks;
export const anyHooks = (hooks: NonNullable<Options['hooks']>): Options =>
  claude(client, { hooks });

/** Without both options there are none, so that hooks before the spread stay. */
export const beside: Options = { hooks: own, ...claude(client) };
// @ts-expect-error The hooks of the bridge would replace them.
export const lost: Options = { hooks: own, ...claude(client, { defer: true }) };

// @ts-expect-error A mode is not an answer of the bridge.
export const wrong: CanUseTool = async () => ({ behavior: 'ask' });
