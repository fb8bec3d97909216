/** The tools of a session's agent: their descriptions for the model, and who runs them. */
import type { AgentSettings, AgentTool } from '../../protocol/schema/agent-settings.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ModelTool } from '../model.ts';
import { askUserQuestion, exitPlanMode } from './person-tools.ts';
import { FILE_TOOLS } from './file-tools.ts';

export const BUILT_IN_TOOLS: readonly ModelTool[] = [askUserQuestion, exitPlanMode, ...FILE_TOOLS];

export type Tool = {
  readonly definition: ModelTool;
} /** `fixed`: the fields of the request that its settings give, which the model cannot change. */ & (
  | { readonly runBy: 'person'; readonly kind: string; readonly fixed?: JsonObject | undefined }
  /** Runs in the transaction of its result, so it cannot stop halfway. */
  | { readonly runBy: 'session' }
  | (Extract<AgentTool, { type: 'http' }> & { readonly runBy: 'http' })
  | (Extract<AgentTool, { type: 'client' }> & { readonly runBy: 'client' })
);

/** Settings are a value that never changes, and each request of a session has the same tools. */
const LISTED = new WeakMap<AgentSettings, readonly ModelTool[]>();

export function listTools(settings: AgentSettings): readonly ModelTool[] {
  const listed = LISTED.get(settings) ?? [
    ...BUILT_IN_TOOLS,
    ...(settings.tools ?? []).map(definitionOf),
  ];
  LISTED.set(settings, listed);
  return listed;
}

export function findTool(settings: AgentSettings, name: string): Tool | undefined {
  const definition = BUILT_IN_TOOLS.find((tool) => tool.name === name);
  if (definition === askUserQuestion) return { definition, runBy: 'person', kind: 'question' };
  if (definition === exitPlanMode) return { definition, runBy: 'person', kind: 'plan_review' };
  if (definition !== undefined) return { definition, runBy: 'session' };
  const configured = settings.tools?.find((tool) => tool.name === name);
  if (configured === undefined) return undefined;
  const described = definitionOf(configured);
  switch (configured.type) {
    case 'http':
      return { ...configured, runBy: 'http', definition: described };
    case 'client':
      return { ...configured, runBy: 'client', definition: described };
    case 'person': {
      const { kind, request: fixed } = configured;
      return { definition: described, runBy: 'person', kind, fixed };
    }
  }
}

function definitionOf({ name, description, inputSchema }: AgentTool): ModelTool {
  return { name, description, inputSchema };
}
