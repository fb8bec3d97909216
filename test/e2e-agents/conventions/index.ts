/** Every convention of the run, in the order of the table. */
import type { Convention } from '../convention.ts';
import { A2A, A2A_KEPT } from './a2a.ts';
import { ACP } from './acp.ts';
import { AGUI } from './agui.ts';
import { AI_SDK, AI_SDK_KEPT } from './ai-sdk.ts';
import { CLAUDE_CODE, CLAUDE_CODE_HTTP } from './claude-code.ts';
import { CODEX_HOOKS } from './codex-hooks.ts';
import { CODEX } from './codex.ts';
import { LANGGRAPH, LANGGRAPH_KEPT } from './langgraph.ts';
import { OPENAI_AGENTS, OPENAI_AGENTS_KEPT } from './openai-agents.ts';

export const CONVENTIONS: readonly Convention[] = [
  AI_SDK,
  AI_SDK_KEPT,
  OPENAI_AGENTS,
  OPENAI_AGENTS_KEPT,
  LANGGRAPH,
  LANGGRAPH_KEPT,
  ACP,
  CODEX,
  CODEX_HOOKS,
  CLAUDE_CODE,
  CLAUDE_CODE_HTTP,
  AGUI,
  A2A,
  A2A_KEPT,
];
