/** Checks of an agent's settings that their schema cannot express, and the view of them that readers get. */
import type { AgentSettings, AgentTool, AgentView } from '../../protocol/schema/agent-settings.ts';
import * as z from '../../protocol/schema/zod.ts';
import { toolClass } from '../gate.ts';
import { toolSchemaProblem } from './check-tool-input.ts';
import type { KindRegistry } from '../kinds/kind.ts';
import { schemaRejection } from '../../protocol/schema/rejection.ts';
import { outgoingUrlProblem } from '../outgoing-url.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';

/** Built-in tools that ask a person and therefore have no class; the others are in the table of the gate. */
const ASKING_TOOLS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

export interface SettingsRules {
  /** Tools may be called on this machine and in its network. */
  readonly allowPrivateTools: boolean;
  readonly kinds: KindRegistry;
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

function toolProblem(
  tool: AgentTool,
  { allowPrivateTools, kinds }: SettingsRules,
): string | undefined {
  if (isReserved(tool.name)) return 'the name is reserved';
  const problem = toolSchemaProblem(tool.inputSchema);
  if (problem !== undefined || tool.type === 'client') return problem;
  if (tool.type === 'person') return askingProblem(tool, kinds);
  return outgoingUrlProblem(tool.url, { allowPrivate: allowPrivateTools });
}

function askingProblem(
  { kind: name, request = {} }: Extract<AgentTool, { type: 'person' }>,
  kinds: KindRegistry,
): string | undefined {
  const kind = kinds.get(name);
  if (kind === undefined) return `kind: there is no kind "${name}"`;
  // Its approval would allow a call, and there is none to run.
  if (kind.gated) return 'kind: a tool of the type http or client is asked about by itself';
  if (name === 'plan_review') return 'kind: ExitPlanMode asks for a plan review';
  const { shape } = kind.request;
  for (const [field, value] of Object.entries(request)) {
    const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (schema === undefined) return `request.${field}: unknown field`;
    const parsed = z.safeParse(schema, value);
    if (!parsed.success) return `request.${field}: ${schemaRejection(parsed.error).message}`;
  }
  return undefined;
}

/** With a name from the table of classes, a configured shell could pass the gate as a reader. */
function isReserved(name: string): boolean {
  return ASKING_TOOLS.has(name) || toolClass(name) !== 'unknown';
}

/** Leaves out the system prompt, and of an HTTP tool everything but its name, class and origin. */
export function viewAgent(agent: AgentSettings): AgentView {
  const { system: _, tools, ...settings } = agent;
  return { ...settings, ...(tools !== undefined && { tools: tools.map(viewTool) }) };
}

function viewTool(tool: AgentTool): NonNullable<AgentView['tools']>[number] {
  if (tool.type !== 'http') return tool;
  const { type, name, url } = tool;
  return { type, name, class: tool.class, origin: urlOrigin(url) };
}

function urlOrigin(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** The event as readers get it, without full settings in old logs; undefined when the stored event is shown as it is. */
export function viewStartEvent(event: SessionEvent): SessionEvent | undefined {
  if (event.type !== 'session_started') return undefined;
  const { agent } = event.payload;
  if (agent === undefined || !isInFull(agent)) return undefined;
  return { ...event, payload: { ...event.payload, agent: viewAgent(agent) } };
}

function isInFull(agent: AgentView | AgentSettings): agent is AgentSettings {
  return 'system' in agent || (agent.tools ?? []).some((tool) => 'url' in tool);
}
