import type { Person } from '../../../src/web/model/person.ts';

export function personWith(...scopes: readonly string[]): Person {
  return {
    token: 'hp_x.y',
    subject: 'ada',
    credential: 'cred_ada',
    // Of every role in a process, as `in-process/` has it.
    key: 'in-process admin  local',
    via: 'web',
    scopes,
    expiresAt: null,
    session: null,
  };
}

export const ADA = personWith('read', 'answer', 'send');
