/** What readers are shown of an agent's settings, and of events that were written when logs held them in full. */
import type { AgentSettings, AgentTool, AgentView } from '../protocol/schema/agent-settings.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';

export function viewAgent({ model, tools, maxSteps, maxTokens }: AgentSettings): AgentView {
  return {
    ...(model !== undefined && { model }),
    ...(tools !== undefined && { tools: tools.map(viewTool) }),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
}

function viewTool(tool: AgentTool): NonNullable<AgentView['tools']>[number] {
  if (tool.type !== 'http') return tool;
  const { type, name, url } = tool;
  return { type, name, class: tool.class, origin: originOf(url) };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** The event as it is shown; undefined: as it is stored. */
export function viewStart(event: SessionEvent): SessionEvent | undefined {
  if (event.type !== 'session_started') return undefined;
  const { agent } = event.payload;
  if (agent === undefined || !isInFull(agent)) return undefined;
  return { ...event, payload: { ...event.payload, agent: viewAgent(agent) } };
}

function isInFull(agent: AgentView | AgentSettings): agent is AgentSettings {
  return 'system' in agent || (agent.tools ?? []).some((tool) => 'url' in tool);
}
