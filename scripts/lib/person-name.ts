/** Under which name the person who runs a local server answers. */
import { userInfo } from 'node:os';

export interface PersonName {
  readonly name: string;
  readonly from: 'setting' | 'user' | 'nothing';
}

/** Names of roles say nothing of who decided, and the service keeps some words for itself. */
const ROLES: ReadonlySet<string> = new Set([
  'root',
  'admin',
  'administrator',
  'system',
  'timeout',
  'rule',
  'mode',
  'you',
  'user',
  'nobody',
  'node',
]);
/** Of a user; a name that was set may be any that the service takes. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9._@+-]{0,62}$/i;

export function personName(setting: string | undefined, user = userName()): PersonName {
  if (setting !== undefined) return { name: setting, from: 'setting' };
  const isName = PLAIN_NAME.test(user) && !ROLES.has(user.toLowerCase());
  return isName ? { name: user, from: 'user' } : { name: 'me', from: 'nothing' };
}

/** A container may run us under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
