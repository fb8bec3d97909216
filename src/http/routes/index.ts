/** Every route that is served; the application, the reference and the tests are made from it. */
import type { HttpRoute } from '../route.ts';
import { agentRoutes } from './agent.ts';
import { aguiRoutes } from './agui.ts';
import { answerLinkRoutes } from './answer-links.ts';
import { answeringRoutes, shortFormRoutes } from './answering.ts';
import { attachmentRoutes } from './attachments.ts';
import { auditRoutes, statusRoutes } from './audit.ts';
import { batchRoutes } from './batch.ts';
import { credentialRoutes } from './credentials.ts';
import { workspaceRoutes, retentionRoutes } from './workspace.ts';
import { deviceRoutes, quietHoursRoutes } from './devices.ts';
import { directoryRoutes, peopleRoutes } from './directory.ts';
import { historyRoutes } from './history.ts';
import { hookRoutes } from './hooks.ts';
import { inboundRoutes } from './inbound.ts';
import { interactionRoutes } from './interactions.ts';
import { logRoutes, searchRoutes } from './log.ts';
import { loginRoutes } from './login.ts';
import { mcpRoutes } from './mcp.ts';
import { messageRoutes } from './messages.ts';
import { publicRoutes } from './public.ts';
import { pinRoutes, sessionRoutes } from './sessions.ts';
import { ruleRoutes } from './rules.ts';
import { signInRoutes } from './sign-ins.ts';
import { workspaceListRoutes } from './workspaces.ts';
import { targetRoutes } from './targets.ts';

/** What a credential opens. */
export const API_ROUTES: readonly HttpRoute[] = [
  ...sessionRoutes,
  ...interactionRoutes,
  ...batchRoutes,
  ...answeringRoutes,
  ...shortFormRoutes,
  ...logRoutes,
  ...searchRoutes,
  ...aguiRoutes,
  ...historyRoutes,
  ...hookRoutes,
  ...messageRoutes,
  ...attachmentRoutes,
  ...agentRoutes,
  ...credentialRoutes,
  ...workspaceRoutes,
  ...auditRoutes,
  ...statusRoutes,
  ...retentionRoutes,
  ...targetRoutes,
  ...deviceRoutes,
  ...peopleRoutes,
  ...directoryRoutes,
  ...signInRoutes,
  ...ruleRoutes,
  ...quietHoursRoutes,
  ...pinRoutes,
  ...inboundRoutes,
];

/**
 * Also what needs an address, or several workspaces: a process without a server has no pages for browsers, no endpoint
 * for MCP clients, and one workspace.
 */
export const ROUTES: readonly HttpRoute[] = [
  ...API_ROUTES,
  ...mcpRoutes,
  ...answerLinkRoutes,
  ...workspaceListRoutes,
  ...loginRoutes,
  ...publicRoutes,
];
