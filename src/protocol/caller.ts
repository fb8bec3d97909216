/** The sender of a command: its credential, the names that events store, and the owner of a request. */
import type { Opener, Scope, Settler, Via } from './schema/actor.ts';
import { isSameName } from './same-name.ts';

/** A verified credential; every command carries one. */
export interface Caller {
  readonly credential: string;
  readonly subject: string;
  readonly via: Via;
  readonly scopes: readonly Scope[];
  /** The key that the credential descends from, or its own id if it is a key; absent for commands of the service itself. */
  readonly key?: string;
  /** The first credential of its line that an administrator made; absent if that is this one. */
  readonly root?: string;
  /** Of an answer link: its maker is the person that it names, and proved that. */
  readonly isOwnLink?: true;
}

/** The root that shares and limits count for; credentials of one root are one party when a request is answered. */
export function rootOf({ root, credential }: Pick<Caller, 'root' | 'credential'>): string {
  return root ?? credential;
}

/** The actor, in the form that events and the audit list store. */
export function settlerOf(caller: Caller, via: Via = caller.via): Settler {
  const { subject, credential, key } = caller;
  return { subject, via, ...(key !== undefined && { credential, key }) };
}

/** The opener of an interaction or a turn, in the form that events store. */
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

/** Whether the caller is the opener, or the root of the opener's credential. */
export function isOwnedBy(caller: Caller, { credential, root }: Opener): boolean {
  return caller.credential === credential || caller.credential === root;
}

/** Whether the caller is the agent that opened an interaction, or may act as that agent. */
export function isAgentOf(caller: Caller, openedBy: Opener): boolean {
  return caller.scopes.includes('agent') || caller.credential === openedBy.credential;
}

/** A credential that may ask as an agent is no person, unless it is an administrator's. */
export function actsAsAgent(caller: Caller): boolean {
  return caller.scopes.includes('agent') && !mayAct(caller, 'admin');
}

export function mayAct(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes('admin') || caller.scopes.includes(scope);
}

/** A receiver of announcements; its subject is the person that an administrator says it stands for. */
function isTarget({ credential }: Caller): boolean {
  return credential.startsWith('tgt_');
}

/** Keys are programs: each chooses the subjects of its tokens, and a token those of its links, so none says who answers. */
function descendsFromKey(caller: Caller): boolean {
  return [caller.credential, rootOf(caller)].some((id) => id.startsWith('key_'));
}

/**
 * Whether the subject of the caller is a person whom an administrator or a login vouches for. A name that is only used is
 * another person than the one who proved it.
 *
 * A user of a chat counts only under the name that the target gives that user, and a role of a process has the name that
 * its program gave it.
 */
export function provesPerson(caller: Caller): boolean {
  const { via, subject, credential } = caller;
  switch (via) {
    case 'web':
    case 'cli':
      return !descendsFromKey(caller);
    case 'chat':
      return isTarget(caller) && !subject.startsWith('slack:');
    case 'link':
      if (isTarget(caller) || mayAct(caller, 'admin')) return true;
      return caller.isOwnLink === true && !descendsFromKey(caller);
    case 'api':
      if (isTarget(caller)) return subject !== credential;
      return !descendsFromKey(caller) && !mayAct(caller, 'agent');
    case 'text':
    case 'hook':
    case 'mcp':
    case 'push':
    case 'rule':
    case 'timeout':
    case 'system':
      return false;
  }
}

/** Whether the caller did it: the same person, or the same name of the same key. */
export function isOwnAct(caller: Caller, by: Settler): boolean {
  const isOfSameKey = by.key !== undefined && by.key === caller.key;
  return isSameName(by.subject, caller.subject) && (provesPerson(caller) || isOfSameKey);
}
