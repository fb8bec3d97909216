/**
 * Adds to a command what the workspace decides: whom an opening is for and which rules its gate has, and the groups of the
 * caller for an answer to a request that names groups, and which of those who voted before are gone.
 *
 * The copy of the workspace is at most 50 seconds old, and is read only for commands that need it: a request without an
 * audience is answered without the workspace. Of voters it is asked at that moment. If the workspace cannot be read, the command is refused and nothing
 * happens: without its rules an opening could ask the wrong people or pass a rule that denies, and without its groups an
 * answer could come from the wrong people.
 */
import { membershipOf } from '../core/audience.ts';
import { type Caller, mayAct } from '../protocol/caller.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { AudiencePolicy, VoterStanding } from '../protocol/schema/audience-rule.ts';
import type { StoredAudience } from '../protocol/schema/audience.ts';
import type { Command, Context } from '../protocol/schema/command.ts';
import { isOpening } from './find-record.ts';
import type { Session } from './session.ts';
import type { HandleResult } from './command-result.ts';

/** Handles a command with the audiences that it needs. */
export async function handleCommand(
  session: Session,
  command: Command,
  context: Context,
): Promise<HandleResult> {
  const read = withAudiences(session, [command], context);
  const known = read instanceof Promise ? await read : read;
  return 'ok' in known ? known : session.rendezvous.handle(command, known);
}

/** Handles the commands of one request, each by itself. */
export async function handleCommands(
  session: Session,
  commands: readonly Command[],
  context: Context,
): Promise<HandleResult[]> {
  const known = await withAudiences(session, commands, context);
  return 'ok' in known ? commands.map(() => known) : session.handleEach(commands, known);
}

type AudienceSession = Pick<Session, 'current' | 'ports'>;

const UNREADABLE_POLICY = reject(
  'unavailable',
  'Whom requests are for could not be read from the workspace; nothing happened. Try again.',
);

/** Synchronous where the workspace is not needed: no other command comes in between. */
export function withAudiences(
  session: AudienceSession,
  commands: readonly Command[],
  context: Context,
): Context | Promise<Context | Rejection> {
  const { readAudiences, readVoters, warn } = session.ports;
  const opens = commands.some(isOpening);
  const answers = commands.some(({ type }) => ANSWERING.has(type));
  const isNeeded = opens || (answers && needsMembership(session, context.caller));
  const known = (policy?: AudiencePolicy, voters?: readonly VoterStanding[]): Context => ({
    ...context,
    ...(policy && { membership: membershipOf(policy, context.caller) }),
    ...(policy && opens && { audienceRules: policy.rules, workspaceRules: policy.gateRules }),
    ...(voters && { voters }),
  });
  const policy = isNeeded ? readAudiences?.() : undefined;
  const voted = answers ? votersOf(session) : [];
  const voters = voted.length > 0 ? readVoters?.(voted) : undefined;
  if (policy === undefined && voters === undefined) return context;
  if (!(policy instanceof Promise) && !(voters instanceof Promise)) return known(policy, voters);
  return Promise.all([policy, voters]).then(
    (read) => known(...read),
    (cause: unknown) => {
      warn('What a workspace decides cannot be read', cause);
      return UNREADABLE_POLICY;
    },
  );
}

/** Those who approved open requests; the next approval counts them anew. */
function votersOf(session: AudienceSession): readonly Settler[] {
  const open = [...(session.current()?.open.values() ?? [])];
  return open.flatMap(({ votes = [] }) => votes.map(({ by }) => by));
}

const ANSWERING: ReadonlySet<Command['type']> = new Set([
  'interaction.answer',
  'interaction.cancel',
  'interactions.cancel',
  'interaction.extend',
  'interaction.withdraw',
  'interaction.claim',
  'interaction.handover',
  'message.send',
]);

/** Groups and names of targets are what only the workspace knows. */
function needsMembership(session: AudienceSession, caller: Caller): boolean {
  const open = [...(session.current()?.open.values() ?? [])];
  // A quorum counts an administrator only as one of those that it names.
  if (open.some(({ quorum }) => namesGroups(quorum?.of))) return true;
  return !mayAct(caller, 'admin') && open.some(({ audience }) => namesGroups(audience));
}

function namesGroups(audience: StoredAudience | undefined): boolean {
  return (audience?.groups ?? audience?.targets) !== undefined;
}
