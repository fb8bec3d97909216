/**
 * Who needs asking: the order is plan-mode denials, session rules, then the mode.
 *
 * Questions, plan reviews and forms never come here; they are asked in every mode, bypass included.
 * The class of a tool comes from its name alone, never from the caller, who could otherwise call a
 * shell a reader. It stands in the table, or in what the session's own agent was set up with; a name
 * that is in neither has no class, and no class asks. A bug here runs something nobody allowed, so
 * every cell of the table stands written out.
 */
import type { AgentTool } from '../protocol/schema/agent-settings.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { PermissionMode, Rule } from '../protocol/schema/session.ts';
import type { GateVerdict } from './decision.ts';
import { digestRule } from './digest/digests.ts';

export type ToolClass = 'read' | 'edit' | 'execute';
type ModeVerdict = 'allow' | 'ask' | 'deny';

const TOOL_CLASSES: Readonly<Record<string, ToolClass>> = {
  Read: 'read',
  Grep: 'read',
  Glob: 'read',
  LS: 'read',
  List: 'read',
  NotebookRead: 'read',
  WebSearch: 'read',
  WebFetch: 'read',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Bash: 'execute',
};

/** No configured tool has a name of the table: one that is set up as a reader must not be a shell. */
export function toolClass(
  toolName: string,
  configured: readonly AgentTool[] = [],
): ToolClass | 'unknown' {
  if (Object.hasOwn(TOOL_CLASSES, toolName)) return TOOL_CLASSES[toolName] as ToolClass;
  return configured.find(({ name }) => name === toolName)?.class ?? 'unknown';
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

/** In plan mode the plan itself may be written: a file under `plans/`, with no way out of it. */
function writesPlan(toolName: string, input: JsonObject): boolean {
  if (!PLAN_FILE_TOOLS.has(toolName)) return false;
  // Nobody knows here by which of the two its tool goes, so both must stay inside.
  const paths = [input.file_path, input.path].filter((path) => path !== undefined);
  return paths.length > 0 && paths.every(isPlanFile);
}

export function isPlanFile(path: Json): boolean {
  if (typeof path !== 'string' || path.includes('\\')) return false;
  const parts = path.split('/');
  const plain = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  return plain && parts.length > 1 && parts[0] === 'plans';
}

export interface GateCall {
  readonly toolName: string;
  readonly input: JsonObject;
}

/** The verdict without asking anybody, or undefined: a person must be asked. */
export function gate(
  call: GateCall,
  mode: PermissionMode,
  rules: readonly Rule[],
  configured?: readonly AgentTool[],
): GateVerdict | undefined {
  const verdict = modeVerdict(call, mode, configured);
  if (verdict === 'deny') {
    return {
      behavior: 'deny',
      message: `${call.toolName} is not allowed in plan mode`,
      by: { mode },
    };
  }
  const rule = rules.find((candidate) => coversCall(candidate, call));
  if (rule !== undefined) {
    return { behavior: 'allow', updatedInput: call.input, by: { rule: rule.id } };
  }
  if (verdict === 'allow') return { behavior: 'allow', updatedInput: call.input, by: { mode } };
  return undefined;
}

function modeVerdict(
  call: GateCall,
  mode: PermissionMode,
  configured: readonly AgentTool[] | undefined,
): ModeVerdict {
  if (!Object.hasOwn(MODE_VERDICTS, mode)) return 'ask';
  if (mode === 'plan' && writesPlan(call.toolName, call.input)) return 'allow';
  return MODE_VERDICTS[mode][toolClass(call.toolName, configured)];
}

function coversCall(rule: Rule, call: GateCall): boolean {
  if (rule.toolName !== call.toolName) return false;
  return (
    rule.inputDigest === undefined || rule.inputDigest === digestRule(call.toolName, call.input)
  );
}
