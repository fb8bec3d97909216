/**
 * The quorum of a request: several people must approve it, and one denial ends it (VOTE).
 *
 * 1. A vote belongs to a person, by a subject that an administrator or a login vouches for. It counts once, whatever device,
 *    link, chat or terminal it comes from.
 * 2. Everyone approves the same: the input after any edit, the choice, the rule and the mode that come with it. A vote for
 *    something else starts the count anew, with that vote as the first.
 * 3. Each vote is an event with all votes that count from there on. The last one is the settlement, in one commit.
 * 4. At each further vote those before it are counted anew: one whose voter is gone since does not count.
 */
import { provesPerson } from '../protocol/caller.ts';
import { isSameName } from '../protocol/same-name.ts';
import { canonicalize } from '../protocol/canonical-json.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { DraftEvent } from '../protocol/schema/event.ts';
import type { Interaction, StoredQuorum, Vote } from '../protocol/schema/interaction.ts';
import { isInAudience } from './audience.ts';
import type { Facts } from './decision.ts';
import { sha256Hex } from './digest.ts';
import type { Kind, SettleEffect } from './kinds/kind.ts';
import { attachmentFields, digestAuthorized, interactionFields } from './settle.ts';
import type { SessionState } from './state.ts';

/** The answer decides, or is one of the votes that it takes. */
type Counted =
  | { readonly isDecided: true; readonly votes?: readonly Vote[] }
  | { readonly isDecided: false; readonly events: readonly DraftEvent[] };

export function countVote(
  { info }: SessionState,
  record: Interaction,
  kind: Kind,
  effect: SettleEffect,
  facts: Facts,
  by: Settler,
  attachments?: readonly AttachedFile[],
): Counted | Rejection {
  const { quorum, votes: all = [] } = record;
  if (quorum === undefined) return { isDecided: true };
  // The approvals so far stay in the record of a denied request.
  if (effect.outcome !== 'approved') return { isDecided: true, votes: all };
  const before = all.filter((vote) => stillCounts(vote, quorum, facts));
  const refused = rejectVoter(facts, record);
  if (refused !== undefined) return refused;
  const effectDigest = digestEffect(effect);
  const isSame = (vote: Vote) => vote.effectDigest === effectDigest;
  const isOwn = (vote: Vote) => isSameName(vote.by.subject, by.subject);
  // A double click.
  if (before.some((vote) => isOwn(vote) && isSame(vote))) return { isDecided: false, events: [] };
  const { decision } = effect;
  const vote: Vote = {
    by,
    at: facts.now,
    ...(decision !== undefined && { decision }),
    authorizedDigest: digestAuthorized(info, kind, record, effect) ?? record.inputDigest,
    effectDigest,
  };
  const votes = [...before.filter((one) => isSame(one) && !isOwn(one)), vote];
  if (votes.length >= quorum.approvals) return { isDecided: true, votes };
  const event = votesEvent(record, 'vote', votes, by, attachments);
  return { isDecided: false, events: [event] };
}

/** A voter of whom the workspace says nothing has voted since it was asked. */
function stillCounts(
  { by }: Vote,
  { of }: StoredQuorum,
  { voters = [] }: Pick<Facts, 'voters'>,
): boolean {
  const standing = voters.find(
    ({ subject, credential }) => subject === by.subject && credential === by.credential,
  );
  if (standing === undefined) return true;
  if (standing.isGone) return false;
  const { subject, credential, groups, targets } = standing;
  const named = credential === undefined ? targets : [...targets, credential];
  return of === undefined || isInAudience(of, { subject, groups, targets: named });
}

export function votesEvent(
  record: Interaction,
  change: 'vote' | 'vote_withdrawn',
  votes: readonly Vote[],
  by: Settler,
  attachments?: readonly AttachedFile[],
): DraftEvent {
  return {
    type: 'interaction_update',
    ...attachmentFields(record),
    payload: {
      ...interactionFields(record),
      change,
      votes: [...votes],
      ...(attachments && { attachments: [...attachments] }),
      by,
    },
  };
}

/** An administrator counts as a person, and only where the quorum names that person. */
function rejectVoter(
  { caller, membership }: Pick<Facts, 'caller' | 'membership'>,
  { quorum }: Interaction,
): Rejection | undefined {
  if (!provesPerson(caller)) {
    return reject(
      'forbidden',
      'Several people must approve this, and this credential does not prove who you are. Use a token that an administrator made for you.',
      { quorum: 'person' },
    );
  }
  const { of } = quorum ?? {};
  const { groups = [], targets = [] } = membership ?? {};
  const { subject, credential } = caller;
  const party = { subject, groups, targets: [...targets, credential] };
  if (of === undefined || isInAudience(of, party)) return undefined;
  return reject('forbidden', 'The approvals of others are asked for here; you may deny this', {
    quorum: 'of',
  });
}

/** Everything that happens once the approval counts; the reason is each person's own. */
function digestEffect({ reason: _reason, ...effect }: SettleEffect): string {
  return sha256Hex(canonicalize(effect));
}
