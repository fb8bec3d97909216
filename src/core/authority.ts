/**
 * Which scope a command needs. This is the only such table: routes and socket frames read it too.
 *
 * One of the listed scopes is enough, and `admin` always is. Three checks need more than a table and stand
 * below it. A credential with the scope `agent` alone must never answer, or widen its own rights.
 */
import type { Opener, Scope } from '../protocol/schema/actor.ts';
import { type Caller, isOwnedBy, mayAct, rootOf } from '../protocol/caller.ts';
import type { Command, CommandOf, CommandType } from '../protocol/schema/command.ts';
import { isSameName } from '../protocol/same-name.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Role } from '../protocol/schema/person.ts';
import type { Facts } from './decision.ts';

export const COMMAND_SCOPES: Readonly<Record<CommandType, readonly Scope[]>> = {
  'session.create': ['agent', 'send'],
  'session.update': ['answer'],
  'session.delete': [],
  'session.clear': ['send'],
  'turn.interrupt': ['send'],
  'turn.retry': ['send'],
  'conversation.restore': ['send'],
  'message.send': ['send'],
  'message.remove': ['send'],
  'tool.result': ['agent'],
  'events.append': ['agent'],
  'cli.map': ['agent'],
  'history.import': ['agent'],
  'interaction.open': ['agent'],
  'interactions.open': ['agent'],
  'interaction.answer': ['answer'],
  'interaction.cancel': ['answer', 'agent'],
  'interactions.cancel': ['answer', 'agent'],
  'interaction.complete': ['agent'],
  'interaction.extend': ['answer'],
  'interaction.undo': ['answer'],
  'interaction.withdraw': ['answer'],
  'interaction.claim': ['answer'],
  'interaction.handover': ['answer'],
  'rule.add': ['answer'],
  'rule.revoke': ['answer'],
  'deadlines.run': [],
};

/** Of a file for a message or an answer: the scopes to write either. */
export const ATTACH_SCOPES: readonly Scope[] = ['send', 'answer'];

export function hasAnyScope(caller: Caller, anyOf: readonly Scope[]): boolean {
  return caller.scopes.includes('admin') || anyOf.some((scope) => caller.scopes.includes(scope));
}

export function rejectMissingScope(anyOf: readonly Scope[]): Rejection {
  const needed = anyOf.length === 0 ? 'admin' : anyOf.join(' or ');
  return reject('forbidden', `This credential lacks the scope ${needed}; use one that has it`, {
    scopes: anyOf.length === 0 ? ['admin'] : [...anyOf],
  });
}

/** Undefined when the caller may send the command. */
export function authorize(
  command: Command,
  caller: Caller,
  record: Interaction | undefined,
): Rejection | undefined {
  const anyOf = COMMAND_SCOPES[command.type];
  if (!hasAnyScope(caller, anyOf)) return rejectMissingScope(anyOf);
  switch (command.type) {
    case 'session.create':
      return rejectSetup(command, caller) ?? rejectInitialMode(command.permissionMode, caller);
    case 'session.update':
      return command.changes.permissionMode === 'bypassPermissions'
        ? rejectUnlessAdmin(caller)
        : undefined;
    // An answerer allows what an agent asks about; what no request shows, an administrator allows.
    case 'rule.add':
      return command.rule.effect === 'allow' ? rejectUnlessAdmin(caller) : undefined;
    case 'interaction.cancel':
      return record === undefined ? undefined : rejectForeignEnd(caller, record);
    default:
      return undefined;
  }
}

export function rejectUnlessAdmin(caller: Caller): Rejection | undefined {
  return mayAct(caller, 'admin') ? undefined : rejectMissingScope([]);
}

/**
 * A person may start a session with the built-in agent. Only a program configures tools for the agent, and only an
 * administrator configures tools that send requests in the name of this deployment.
 */
function rejectSetup(
  { agent }: CommandOf<'session.create'>,
  caller: Caller,
): Rejection | undefined {
  const tools = agent?.tools ?? [];
  if (tools.some(({ type }) => type === 'http')) return rejectUnlessAdmin(caller);
  if (mayAct(caller, 'agent')) return undefined;
  return agent === undefined || tools.length > 0 ? rejectMissingScope(['agent']) : undefined;
}

/** An agent starts its sessions in a mode that asks a person; only a person may loosen the mode. */
function rejectInitialMode(mode: string | undefined, caller: Caller): Rejection | undefined {
  if (mode === 'bypassPermissions') return rejectUnlessAdmin(caller);
  if (mode === 'acceptEdits' && !mayAct(caller, 'answer')) return rejectMissingScope(['answer']);
  return undefined;
}

/**
 * The credential that opened a request may not answer it, and neither may any credential of the same root: a token that
 * an agent makes for itself does not help. An administrator is exempt, and is no common root of the credentials that
 * it made.
 */
export function rejectSelfApproval(
  { caller, forbidSelfApproval = true }: Pick<Facts, 'caller' | 'forbidSelfApproval'>,
  { openedBy }: Interaction,
): Rejection | undefined {
  const isOneParty =
    caller.credential === openedBy.credential || rootOf(caller) === rootOf(openedBy);
  if (!forbidSelfApproval || !isOneParty || mayAct(caller, 'admin')) return undefined;
  return reject(
    'forbidden',
    'This credential or another one of the same root opened the request, and the setting forbidSelfApproval forbids both to answer it. Use a credential of another root, such as a token that an administrator made for a person.',
    { setting: 'forbidSelfApproval' },
  );
}

/** Where a request says so, who asked may not decide, whatever the setting: by credential, root or subject, an administrator too. */
export function rejectRequester(
  { caller }: Pick<Facts, 'caller'>,
  { openedBy, notRequester }: Interaction,
): Rejection | undefined {
  const isRequester =
    caller.credential === openedBy.credential ||
    rootOf(caller) === rootOf(openedBy) ||
    isSameName(caller.subject, openedBy.subject);
  if (notRequester !== true || !isRequester) return undefined;
  return reject('forbidden', 'Who asked may not decide this request; another person must', {
    notRequester: true,
  });
}

/** By a cancel or a reprompt, an agent ends only interactions that it or a token derived from its credential opened. */
export function rejectForeignEnd(caller: Caller, record: Interaction): Rejection | undefined {
  const mayEnd = mayAct(caller, 'answer') || isOwnedBy(caller, record.openedBy);
  return mayEnd ? undefined : rejectMissingScope(['answer']);
}

/** A report of an ending is not a cancel: the scope `answer` does not allow it. */
export function mayReportFor(caller: Caller, opener: Opener): boolean {
  return mayAct(caller, 'admin') || isOwnedBy(caller, opener);
}

/** What the role of a person allows, as the scopes of a credential. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  answerer: ['read', 'answer', 'send'],
  admin: ['read', 'answer', 'send', 'admin'],
};
