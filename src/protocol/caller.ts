/** Who sends a command, and what follows from it: whom events name, whose request it is, what it may do. */
import type { Opener, Scope, Settler, Via } from './schema/actor.ts';

/** A checked credential, as every command carries it. */
export interface Caller {
  readonly credential: string;
  readonly subject: string;
  readonly via: Via;
  readonly scopes: readonly Scope[];
  /** The key it descends from, itself if it is one; absent for what the service does by itself. */
  readonly key?: string;
  /** The first credential of its line that an administrator made; absent: this one. */
  readonly root?: string;
}

/** Whom shares and limits are counted for, and who is one party when requests are answered. */
export function rootOf({ root, credential }: Pick<Caller, 'root' | 'credential'>): string {
  return root ?? credential;
}

/** Who acts, as events and the audit list keep it. */
export function settlerOf(caller: Caller, via: Via = caller.via): Settler {
  const { subject, credential, key } = caller;
  return { subject, via, ...(key !== undefined && { credential, key }) };
}

/** Who asks or begins, as events keep it. */
export function openerOf(caller: Caller): Opener {
  const { subject, credential, key } = caller;
  const root = rootOf(caller);
  return {
    credential,
    subject,
    ...(key !== undefined && { key }),
    ...(root !== credential && { root }),
  };
}

/** Whether the caller did it itself, or is the root of the credential that did. */
export function isOwnedBy(caller: Caller, { credential, root }: Opener): boolean {
  return caller.credential === credential || caller.credential === root;
}

/** Whether this is the agent that an interaction was opened for, or one that may act as it. */
export function isAgentOf(caller: Caller, openedBy: Opener): boolean {
  return caller.scopes.includes('agent') || caller.credential === openedBy.credential;
}

export function mayAct(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes('admin') || caller.scopes.includes(scope);
}
