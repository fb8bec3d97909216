/**
 * Whether a caller is among those whom a request is for.
 *
 * Names of people are compared as `isSameName` does, those of groups and targets exactly. A subject is the one of the caller's credential, and
 * counts, with its groups, where the credential proves that person: the name alone may be chosen by a key. The
 * groups of the caller and the name of a target come from the workspace at the time of the answer; without them only
 * subjects and target ids count, so that a failure narrows who may answer and never widens it.
 */
import { type Caller, isOwnedBy, mayAct, provesPerson } from '../protocol/caller.ts';
import { isSameName } from '../protocol/same-name.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import type { AudiencePolicy } from '../protocol/schema/audience-rule.ts';
import type { StoredAudience } from '../protocol/schema/audience.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import { rejectIfLogFull, rejectSettled, UNKNOWN_INTERACTION } from './rejections.ts';
import type { SessionState } from './state.ts';

/** What the workspace knows of a caller: its groups, and the names of the target that it is. */
export interface Membership {
  readonly groups: readonly string[];
  readonly targets: readonly string[];
}

const NO_MEMBERSHIP: Membership = { groups: [], targets: [] };

export function membershipOf(
  { groups, targetNames }: Pick<AudiencePolicy, 'groups' | 'targetNames'>,
  { subject, credential }: Pick<Caller, 'subject' | 'credential'>,
): Membership {
  const own = Object.hasOwn(targetNames, credential) ? targetNames[credential] : undefined;
  return {
    groups: groups
      .filter(({ subjects }) => includesName(subjects, subject))
      .map(({ name }) => name),
    targets: own === undefined ? [] : [own],
  };
}

export interface AudienceFacts {
  readonly caller: Caller;
  readonly membership?: Membership;
}

/** A person, a target, or a target that stands for a person. */
export interface Party extends Membership {
  readonly subject: string | undefined;
}

function includesName(names: readonly string[], name: string | undefined): boolean {
  return name !== undefined && names.some((one) => isSameName(one, name));
}

export function isInAudience(
  { subjects = [], groups = [], targets = [] }: StoredAudience,
  party: Party,
): boolean {
  return (
    includesName(subjects, party.subject) ||
    groups.some((group) => party.groups.includes(group)) ||
    targets.some((target) => party.targets.includes(target))
  );
}

/** Whether the caller is asked. Without an audience everyone with the scope is, and an administrator always. */
export function isAsked(
  { caller, membership = NO_MEMBERSHIP }: AudienceFacts,
  { audience }: Pick<Interaction, 'audience'>,
): boolean {
  if (audience === undefined || mayAct(caller, 'admin')) return true;
  const { credential } = caller;
  const targets = [...membership.targets, credential];
  const named = isNamed({ caller, membership }, audience);
  return (named && provesPerson(caller)) || isInAudience(audience, { ...UNNAMED_PARTY, targets });
}

const UNNAMED_PARTY = { subject: undefined, groups: [] };

/** By the subject or a group of it, whoever may use that name. */
function isNamed(
  { caller, membership = NO_MEMBERSHIP }: AudienceFacts,
  audience: StoredAudience,
): boolean {
  const { groups } = membership;
  return isInAudience(audience, { subject: caller.subject, groups, targets: [] });
}

const UNPROVEN_PERSON = reject(
  'forbidden',
  'This request is for a person by name, and this credential uses that name without proof: a key made it. Sign in, or use a token that an administrator made for you.',
  { needs: 'person' },
);

/** Everything that answers an open request, gives it time or cancels it for another passes here. */
export function rejectOutsider(facts: AudienceFacts, record: Interaction): Rejection | undefined {
  const { audience } = record;
  if (audience === undefined || isAsked(facts, record)) return undefined;
  if (isNamed(facts, audience)) return UNPROVEN_PERSON;
  return reject(
    'forbidden',
    `This request is for ${describeAudience(audience)}; one of them or an administrator may answer it`,
    { audience: { ...audience } },
  );
}

/** The open request that one of those who are asked acts on, without answering it. */
export function findAskedRecord(
  state: SessionState,
  facts: AudienceFacts & { readonly record?: Interaction },
): ReadResult<Interaction> {
  const { record } = facts;
  if (record === undefined) return UNKNOWN_INTERACTION;
  if (record.status === 'settled') return rejectSettled(record);
  const refused = rejectOutsider(facts, record) ?? rejectIfLogFull(state, 1);
  return refused ?? { ok: true, value: record };
}

/** Neither asked nor the opener, which may end or extend its own request whoever is asked. */
export function rejectUninvolved(facts: AudienceFacts, record: Interaction): Rejection | undefined {
  return isOwnedBy(facts.caller, record.openedBy) ? undefined : rejectOutsider(facts, record);
}

/** After an escalation both may answer. A request for everyone stays one for everyone. */
export function joinAudiences(
  first: StoredAudience | undefined,
  next: StoredAudience,
): StoredAudience | undefined {
  if (first === undefined) return undefined;
  const join = (name: keyof StoredAudience) => {
    const names = [...new Set([...(first[name] ?? []), ...(next[name] ?? [])])];
    return names.length === 0 ? {} : { [name]: names };
  };
  return { ...join('subjects'), ...join('groups'), ...join('targets') };
}

const AUDIENCE_NAMES = 10;

/** "ana, group ops and target pager". */
function describeAudience({ subjects, groups, targets }: StoredAudience): string {
  const names = [
    ...(subjects ?? []),
    ...(groups ?? []).map((name) => `group ${name}`),
    ...(targets ?? []).map((name) => `target ${name}`),
  ];
  const shown = names.slice(0, AUDIENCE_NAMES);
  if (names.length > shown.length) shown.push(`${names.length - shown.length} more`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
