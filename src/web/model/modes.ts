/** The permission modes of a session, each in one sentence. */
import type { PermissionMode } from '../../protocol/types.ts';

export interface ModeWords {
  readonly name: string;
  readonly about: string;
}

export const MODE_WORDS: Readonly<Record<PermissionMode, ModeWords>> = {
  default: {
    name: 'Ask first',
    about: 'Every tool waits for your approval, unless you allowed it for this session.',
  },
  acceptEdits: {
    name: 'Auto-accept edits',
    about: 'Reading and editing files goes through. Everything else waits for your approval.',
  },
  plan: {
    name: 'Plan mode',
    about: 'The agent may read and write a plan. It changes nothing until you approve the plan.',
  },
  bypassPermissions: {
    name: 'Bypass approvals',
    about: 'No tool waits for you; only questions do. An administrator has to switch this on.',
  },
};

export const MODE_ORDER = Object.keys(MODE_WORDS) as PermissionMode[];
