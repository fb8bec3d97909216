/** What the agent of a session may do without asking, in one sentence each. */
import type { PermissionMode } from '../../protocol/types.ts';

export interface ModeWords {
  readonly name: string;
  /** At the top of a session, where there is little room. */
  readonly short: string;
  readonly about: string;
}

export const MODE_WORDS: Readonly<Record<PermissionMode, ModeWords>> = {
  default: {
    name: 'Ask every time',
    short: 'Asks',
    about: 'Every tool waits for your approval, unless you allowed it for this session.',
  },
  acceptEdits: {
    name: 'Accept edits',
    short: 'Edits freely',
    about: 'Reading and editing files goes through. Everything else waits for your approval.',
  },
  plan: {
    name: 'Plan first',
    short: 'Plans',
    about: 'The agent may read and write a plan. It changes nothing until you approve the plan.',
  },
  bypassPermissions: {
    name: 'Allow everything',
    short: 'Unguarded',
    about: 'No tool waits for you; only questions do. An administrator has to switch this on.',
  },
};

export const MODE_ORDER = Object.keys(MODE_WORDS) as PermissionMode[];
