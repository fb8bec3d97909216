/**
 * Decides whether a tool call needs a person: first plan-mode denials, then rules that deny, that ask and that allow, then
 * the mode.
 *
 * Questions, plan reviews and forms never reach the gate; they are asked in every mode, bypass included.
 * The class of a tool follows from its name alone: it stands in `protocol/tool-class.ts` or in the settings of the built-in
 * agent; a tool without a class is always asked about. A bug here runs a call that no person allowed, so every cell of the table is written out.
 */
import type { AgentTool } from '../protocol/schema/agent-settings.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { CitedRule } from '../protocol/schema/cited-rule.ts';
import type { PermissionMode } from '../protocol/schema/session.ts';
import { namedToolClass, type ToolClass } from '../protocol/tool-class.ts';
import type { GateVerdict } from './decision.ts';
import { judgeCall, type ScopedRule, type RuledCall } from './rules/match-rule.ts';

type ModeVerdict = 'allow' | 'ask' | 'deny';

/** The table wins: a configured tool must not turn a shell into a reader by using its name. */
export function toolClass(
  toolName: string,
  configured: readonly AgentTool[] = [],
): ToolClass | 'unknown' {
  const tool = configured.find(({ name }) => name === toolName);
  const configuredClass = tool === undefined || tool.type === 'person' ? undefined : tool.class;
  return namedToolClass(toolName) ?? configuredClass ?? 'unknown';
}

const MODE_VERDICTS: Readonly<
  Record<PermissionMode, Readonly<Record<ToolClass | 'unknown', ModeVerdict>>>
> = {
  default: { read: 'ask', edit: 'ask', execute: 'ask', unknown: 'ask' },
  acceptEdits: { read: 'allow', edit: 'allow', execute: 'ask', unknown: 'ask' },
  plan: { read: 'allow', edit: 'deny', execute: 'deny', unknown: 'ask' },
  bypassPermissions: { read: 'allow', edit: 'allow', execute: 'allow', unknown: 'allow' },
};

const PLAN_FILE_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit']);

/** Plan mode allows writing the plan: a file below `plans/`, by a path that cannot leave the folder. */
function writesPlan(toolName: string, input: JsonObject): boolean {
  if (!PLAN_FILE_TOOLS.has(toolName)) return false;
  // The tool may use either field, so both paths must stay inside.
  const paths = [input.file_path, input.path].filter((path) => path !== undefined);
  return paths.length > 0 && paths.every(isPlanFile);
}

export function isPlanFile(path: Json): boolean {
  if (typeof path !== 'string' || path.includes('\\')) return false;
  const parts = path.split('/');
  const plain = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  return plain && parts.length > 1 && parts[0] === 'plans';
}

/** `by` is a rule that wants a person to be asked. */
export type GateResult = GateVerdict | { readonly behavior: 'ask'; readonly by?: CitedRule };

/** The rules of the session and of its workspace, and the time by which they expire. */
export interface GateRules {
  readonly rules: readonly ScopedRule[];
  readonly now: number;
}

export function gate(
  call: RuledCall,
  mode: PermissionMode,
  { rules, now }: GateRules,
  configured?: readonly AgentTool[],
): GateResult {
  const { toolName, input: updatedInput } = call;
  const ofMode = modeVerdict(call, mode, configured);
  if (ofMode === 'deny') {
    const message = `${toolName} is not allowed in plan mode`;
    return { behavior: 'deny', message, by: { mode } };
  }
  const verdict = judgeCall(rules, call, now);
  if (verdict?.effect === 'deny') {
    return { behavior: 'deny', message: denialMessage(toolName, verdict.reason), by: verdict.by };
  }
  if (verdict?.effect === 'ask') return { behavior: 'ask', by: verdict.by };
  if (verdict?.effect === 'allow') return { behavior: 'allow', updatedInput, by: verdict.by };
  return ofMode === 'allow'
    ? { behavior: 'allow', updatedInput, by: { mode } }
    : { behavior: 'ask' };
}

/** The agent reads why, so that it does not try the same in other words. */
function denialMessage(toolName: string, reason: string | undefined): string {
  const denial = `A rule of this workspace or session denies this ${toolName} call`;
  return reason === undefined ? denial : `${denial}. Reason: ${reason}`;
}

function modeVerdict(
  call: RuledCall,
  mode: PermissionMode,
  configured: readonly AgentTool[] | undefined,
): ModeVerdict {
  if (!Object.hasOwn(MODE_VERDICTS, mode)) return 'ask';
  if (mode === 'plan' && writesPlan(call.toolName, call.input)) return 'allow';
  return MODE_VERDICTS[mode][toolClass(call.toolName, configured)];
}
