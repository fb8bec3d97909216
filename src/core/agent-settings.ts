/** What is wrong with an agent's settings that their schema cannot say. */
import type { AgentSettings, AgentTool } from '../protocol/schema/agent-settings.ts';
import { toolClass } from './gate.ts';
import { toolSchemaProblem } from './tool-schema.ts';
import { toolUrlProblem } from './tool-url.ts';

/** Built-in tools that ask a person and therefore have no class; the others are in the table of the gate. */
const ASKING_TOOLS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

export interface SettingsRules {
  /** Tools may be called on this machine and in its network. */
  readonly allowPrivateTools: boolean;
}

export function agentSettingsProblem(
  { tools = [] }: AgentSettings,
  rules: SettingsRules,
): string | undefined {
  for (const [index, tool] of tools.entries()) {
    const problem = toolProblem(tool, rules);
    if (problem !== undefined) return `tools[${index}] (${tool.name}): ${problem}`;
  }
  return undefined;
}

function toolProblem(tool: AgentTool, { allowPrivateTools }: SettingsRules): string | undefined {
  if (isReserved(tool.name)) return 'the name is reserved';
  const problem = toolSchemaProblem(tool.inputSchema);
  if (problem !== undefined || tool.type !== 'http') return problem;
  return toolUrlProblem(tool.url, { allowPrivate: allowPrivateTools });
}

/** With a name from the table of classes, a shell could be configured that the gate takes for a reader. */
function isReserved(name: string): boolean {
  return ASKING_TOOLS.has(name) || toolClass(name) !== 'unknown';
}
