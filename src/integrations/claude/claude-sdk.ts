/**
 * The parts of `@anthropic-ai/claude-agent-sdk` that the bridge uses: its types, and its values as Holdpoint accepts them.
 *
 * The types are written out because the package is large, closed and not a dependency. They are assignable to the real
 * types; `npm run e2e:claude` compiles them against the package.
 */
type Destination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';
type SdkMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

export type PermissionUpdate =
  | {
      type: 'addRules' | 'replaceRules' | 'removeRules';
      rules: { toolName: string; ruleContent?: string }[];
      behavior: 'allow' | 'deny' | 'ask';
      destination: Destination;
    }
  | { type: 'setMode'; mode: SdkMode; destination: Destination }
  | {
      type: 'addDirectories' | 'removeDirectories';
      directories: string[];
      destination: Destination;
    };

type Classification = 'user_temporary' | 'user_permanent' | 'user_reject';

/** `allow` always has the input, so that the tool runs with the input that a person saw. */
export type PermissionResult =
  | {
      behavior: 'allow';
      updatedInput: Record<string, unknown>;
      updatedPermissions?: PermissionUpdate[];
      decisionClassification?: Classification;
    }
  | {
      behavior: 'deny';
      message: string;
      interrupt?: boolean;
      decisionClassification?: Classification;
    };

/** Every field is optional, so that a test can call `canUseTool` with the fields it is about. */
export interface CanUseToolOptions {
  readonly signal?: AbortSignal | undefined;
  readonly toolUseID?: string | undefined;
  readonly requestId?: string | undefined;
  readonly suggestions?: readonly PermissionUpdate[] | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly decisionReason?: string | undefined;
  readonly blockedPath?: string | undefined;
  readonly mcpServer?: { readonly name: string; readonly source: string } | undefined;
  readonly agentID?: string | undefined;
  readonly defaultToNo?: boolean | undefined;
  readonly suppressAlwaysAllowRule?: boolean | undefined;
  readonly matchedAskRule?: object | undefined;
  /** Present at run time, but in no type of the package. */
  readonly requiresUserInteraction?: boolean | undefined;
}

export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options?: CanUseToolOptions,
) => Promise<PermissionResult>;

export interface ElicitationRequest {
  readonly serverName: string;
  readonly message: string;
  readonly mode?: 'form' | 'url' | undefined;
  readonly url?: string | undefined;
  readonly elicitationId?: string | undefined;
  readonly requestedSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly title?: string | undefined;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
}

export type ElicitationResult = {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
};

export type OnElicitation = (
  request: ElicitationRequest,
  options?: { readonly signal?: AbortSignal | undefined; readonly requestId?: string | undefined },
) => Promise<ElicitationResult>;

/** The fields of a hook's input that the bridge reads. */
export interface HookInput {
  readonly hook_event_name: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
  /** Only of a call within a subagent. */
  readonly agent_id?: string;
}

export interface HookOutput {
  hookSpecificOutput?:
    | {
        hookEventName: 'PreToolUse';
        permissionDecision: 'allow' | 'deny' | 'ask' | 'defer';
        permissionDecisionReason?: string;
        updatedInput?: Record<string, unknown>;
      }
    | { hookEventName: 'PostToolUse' | 'PostToolUseFailure'; additionalContext: string };
}

export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => Promise<HookOutput>;

interface HookMatcher {
  matcher?: string;
  hooks: HookCallback[];
  timeout?: number;
  onFailure?: 'continue' | 'block';
}

/** A type, and not an interface, so that it can be merged with hooks of any event. */
export type SdkHooks = {
  PreToolUse?: HookMatcher[];
  PostToolUse: HookMatcher[];
  PostToolUseFailure: HookMatcher[];
};

/** The hooks of a host, of any event. */
export type HostHooks = { readonly [event: string]: readonly unknown[] | undefined };

/** A longer text is cut: a server that refused it would deny the tool before a person saw it. */
const SHOWN_TEXT_CHARS = 8_000;

/** Text of the SDK as a server accepts it: other characters are replaced. */
export function shownText(text: string, maxChars = SHOWN_TEXT_CHARS): string {
  const clean = text.toWellFormed().replaceAll('\u0000', '\uFFFD');
  return clean.length <= maxChars ? clean : `${clean.slice(0, maxChars - 1).toWellFormed()}…`;
}

export function shownLines(lines: readonly (string | undefined)[]): string | undefined {
  const filled = lines.filter((line) => line !== undefined && line.trim() !== '');
  return filled.length === 0 ? undefined : shownText(filled.join('\n'));
}

/**
 * The SDK's id of a call as a tool call id, so that the same call finds the same question. Undefined without an id: then
 * every call opens a new question.
 */
export function toolCallIdOf({
  toolUseID = '',
  requestId = '',
}: Pick<CanUseToolOptions, 'toolUseID' | 'requestId'>): string | undefined {
  if (toolUseID !== '') return toolUseID;
  return requestId === '' ? undefined : `request-${requestId}`;
}
