import type { Person } from '../../../src/web/model/person.ts';

export function personWith(...scopes: readonly string[]): Person {
  return {
    token: 'hp_x.y',
    subject: 'ada',
    credential: 'cred_ada',
    // The root of every role in a process.
    key: 'in-process admin  local',
    via: 'web',
    scopes,
    expiresAt: null,
    session: null,
  };
}

export const ADA = personWith('read', 'answer', 'send');
