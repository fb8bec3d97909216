/** Chooses the name under which the person who runs a local server answers. */
import { userInfo } from 'node:os';
import { Name } from '../../src/protocol/schema/name.ts';

export interface PersonName {
  readonly name: string;
  readonly from: 'setting' | 'user' | 'nothing';
}

/** The name of a role does not say who decided. */
const ROLES: ReadonlySet<string> = new Set(['root', 'administrator', 'user', 'nobody', 'node']);

export function personName(setting: string | undefined, user = userName()): PersonName {
  if (setting !== undefined) {
    const problem = Name.safeParse(setting).error?.issues[0]?.message;
    if (problem === undefined) return { name: setting, from: 'setting' };
    throw new Error(`HOLDPOINT_NAME is ${JSON.stringify(setting)}. ${problem}.`);
  }
  const isName = Name.safeParse(user).success && !ROLES.has(user.toLowerCase());
  return isName ? { name: user, from: 'user' } : { name: 'me', from: 'nothing' };
}

/** A container may run this process under a user number without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
