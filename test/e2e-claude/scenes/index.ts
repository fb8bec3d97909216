/** All scenes, in the order of the transcript. */
import { ASK_BY_COMMAND } from './ask-by-command.ts';
import { ELICITATION } from './elicitation.ts';
import { APPROVAL, DENY, SESSION_RULE } from './permissions.ts';
import { PLAN } from './plan.ts';
import { QUESTION } from './question.ts';
import type { Scene } from './scene.ts';
import { ABORT, AWAY, RESTART } from './trouble.ts';

export const SCENES: readonly Scene[] = [
  QUESTION,
  APPROVAL,
  SESSION_RULE,
  DENY,
  PLAN,
  ELICITATION,
  ABORT,
  RESTART,
  AWAY,
  ASK_BY_COMMAND,
];
