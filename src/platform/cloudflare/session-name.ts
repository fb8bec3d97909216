/** Objects are found by name, and a name begins with the workspace of the credential that asks. */
import type { Address } from '../../core/evolve.ts';

export function sessionName(workspace: string, id: string): string {
  return `${workspace}/${id}`;
}

export function sessionAddress(name: string): Address {
  const slash = name.indexOf('/');
  return { workspace: name.slice(0, slash), id: name.slice(slash + 1) };
}
