/** The name of a session's object. It begins with the workspace of the caller's credential. */
import type { SessionAddress } from '../../core/evolve.ts';

export function sessionName(workspace: string, id: string): string {
  return `${workspace}/${id}`;
}

export function sessionAddress(name: string): SessionAddress {
  const slash = name.indexOf('/');
  return { workspace: name.slice(0, slash), id: name.slice(slash + 1) };
}
