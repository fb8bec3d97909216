/** Under which name the person who runs a local server answers. */
import { userInfo } from 'node:os';

export interface PersonName {
  readonly name: string;
  readonly from: 'setting' | 'user' | 'nothing';
}

/** These name a role: in an audit list they say nothing of who decided, and the service keeps some for itself. */
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
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,99}$/u;

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
