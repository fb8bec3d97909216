/** What the role of a person allows, as the scopes of a credential. */
import type { Scope } from './schema/actor.ts';
import type { Role } from './schema/person.ts';

export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  answerer: ['read', 'answer', 'send'],
  admin: ['read', 'answer', 'send', 'admin'],
};
