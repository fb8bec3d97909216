/** Two commands that ask, and the tool calls of their shells. */
import { askByWords, HOLDPOINT_ASK, toolCall } from '../support/rendezvous-world.ts';

export const SHIP = askByWords({ ...HOLDPOINT_ASK, command: ['holdpoint', 'ask', 'Ship it?'] });

export const BACK = askByWords({ ...HOLDPOINT_ASK, command: ['holdpoint', 'ask', 'Roll back?'] });

export const SHIP_CALL = toolCall('call-ship', 'cd app && holdpoint ask "Ship it?"');

export const BACK_CALL = toolCall('call-back', 'holdpoint ask "Roll back?"');

export const result = (toolCallId: string) =>
  ({ type: 'tool_result', toolCallId, payload: { output: 'ok' } }) as const;

export const OWN_ID = /^id-/;
