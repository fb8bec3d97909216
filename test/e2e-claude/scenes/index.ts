/** All scenes, in the order of the transcript. */
import { ASK_BY_COMMAND } from './ask-by-command.ts';
import { DEFER, DEFER_AWAY, DEFER_QUESTION, DEFER_SEVERAL, DEFER_TOGETHER } from './defer.ts';
import { ELICITATION } from './elicitation.ts';
import { HOOK_ELICITATIONS, HOOK_ODD_INPUT, HOOK_PERMISSIONS } from './hooks.ts';
import { MCP_AWAY, MCP_CREDENTIAL, MCP_DENY, MCP_EDIT, MCP_KILLED, MCP_QUESTION } from './mcp.ts';
import { APPROVAL, DENY, EDITED, SESSION_RULE } from './permissions.ts';
import { PLAN } from './plan.ts';
import { QUESTION } from './question.ts';
import type { Scene } from './scene.ts';
import { ABORT, AWAY, RESTART } from './trouble.ts';

export const SCENES: readonly Scene[] = [
  QUESTION,
  APPROVAL,
  EDITED,
  SESSION_RULE,
  DENY,
  PLAN,
  ELICITATION,
  ABORT,
  RESTART,
  AWAY,
  DEFER,
  DEFER_QUESTION,
  DEFER_SEVERAL,
  DEFER_TOGETHER,
  DEFER_AWAY,
  ASK_BY_COMMAND,
  ...HOOK_PERMISSIONS,
  ...HOOK_ELICITATIONS,
  HOOK_ODD_INPUT,
  MCP_EDIT,
  MCP_DENY,
  MCP_QUESTION,
  MCP_KILLED,
  MCP_AWAY,
  MCP_CREDENTIAL,
];
