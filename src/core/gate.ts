/**
 * Decides whether a tool call needs a person: first plan-mode denials, then session rules, then the mode.
 *
 * Questions, plan reviews and forms never reach the gate; they are asked in every mode, bypass included.
 * The class of a tool follows from its name alone. A caller cannot choose it, because a caller could then declare a
 * shell a reader. The class stands in the table below or in the settings of the built-in agent; a tool without a class
 * is always asked about. A bug here runs a call that no person allowed, so every cell of the table is written out.
 */
import type { AgentTool } from '../protocol/schema/agent-settings.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { PermissionMode, Rule } from '../protocol/schema/session.ts';
import type { GateVerdict } from './decision.ts';
import { digestHeldRule, digestRule } from './digest.ts';

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

/** The table wins: a configured tool must not turn a shell into a reader by using its name. */
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

export interface GateCall {
  readonly toolName: string;
  readonly input: JsonObject;
  /** Of an input that is held beside its record. */
  readonly sha256?: string | undefined;
}

/** Undefined when a person must be asked. */
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
  if (rule.inputDigest === undefined) return true;
  const { toolName, input, sha256 } = call;
  const digest =
    sha256 === undefined ? digestRule(toolName, input) : digestHeldRule(toolName, sha256);
  return rule.inputDigest === digest;
}
