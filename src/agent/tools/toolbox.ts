/** The tools of a session's agent, by name: what the model is told of them, and who runs them. */
import type { AgentSettings, AgentTool } from '../../protocol/schema/agent-settings.ts';
import type { ModelTool } from '../model.ts';
import { askUserQuestion } from './ask-user-question.ts';
import { BUILT_IN_TOOLS } from './built-in.ts';
import { exitPlanMode } from './exit-plan-mode.ts';

export type Tool = { readonly definition: ModelTool } & (
  | { readonly runBy: 'person'; readonly kind: 'question' | 'plan_review' }
  /** In the transaction of its result; it cannot be half done. */
  | { readonly runBy: 'session' }
  | (Extract<AgentTool, { type: 'http' }> & { readonly runBy: 'http' })
  | (Extract<AgentTool, { type: 'client' }> & { readonly runBy: 'client' })
);

export function toolsOf(settings: AgentSettings): readonly ModelTool[] {
  return [...BUILT_IN_TOOLS, ...(settings.tools ?? []).map(definitionOf)];
}

export function toolNamed(settings: AgentSettings, name: string): Tool | undefined {
  const definition = BUILT_IN_TOOLS.find((tool) => tool.name === name);
  if (definition === askUserQuestion) return { definition, runBy: 'person', kind: 'question' };
  if (definition === exitPlanMode) return { definition, runBy: 'person', kind: 'plan_review' };
  if (definition !== undefined) return { definition, runBy: 'session' };
  const configured = settings.tools?.find((tool) => tool.name === name);
  if (configured === undefined) return undefined;
  return configured.type === 'http'
    ? { ...configured, runBy: 'http', definition: definitionOf(configured) }
    : { ...configured, runBy: 'client', definition: definitionOf(configured) };
}

function definitionOf({ name, description, inputSchema }: AgentTool): ModelTool {
  return { name, description, inputSchema };
}
