/** `canUseTool` over the session core in this process. */
import {
  createCanUseTool,
  type BridgeSettings,
  type CanUseToolOptions,
  type PermissionUpdate,
} from '../../src/integrations/claude/index.ts';
import type { JsonObject } from '../../src/protocol/types.ts';
import { pair, SESSION } from '../support/agent.ts';

export const BASH = { command: 'npm test' };

export const AGAIN = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }],
  behavior: 'allow',
  destination: 'localSettings',
} satisfies PermissionUpdate;

export const about = (more: CanUseToolOptions = {}) => ({ toolUseID: 'toolu_1', ...more });

export function bridge(settings: BridgeSettings = {}) {
  const world = pair();
  return { ...world, canUseTool: createCanUseTool({ client: world.agent, ...settings }) };
}

export async function decide(world: ReturnType<typeof bridge>, answer: JsonObject) {
  const { interactionId } = await world.onlyOpen();
  await world.person.answer(SESSION, interactionId, answer);
}
