/**
 * Judges one race of votes from the outside: by the log, the record and what each person was answered. It counts for
 * itself and uses nothing of the code that it judges.
 *
 * - Q1 Never short: an approval has the approvals of as many different people as were asked for, and no fewer.
 * - Q2 Counted once: no person is twice among the votes, and a name that was only used never is.
 * - Q3 Kept: a vote that was acknowledged counts until its person takes it back, and what was taken back does not.
 * - Q4 One end: one response in the log, nothing after it, and everyone who was told an outcome was told that one.
 * - Q5 Never stuck: with enough approvals it is approved.
 */
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../../src/protocol/schema/interaction.ts';
import type { QuorumRace, VoteStep } from './quorum-race.ts';

export interface RaceEnd {
  readonly events: readonly SessionEvent[];
  readonly record: InteractionView;
}

export type ReportFinding = (rule: string, evidence: string) => void;

export function judgeRace(
  race: QuorumRace,
  { events, record }: RaceEnd,
  found: ReportFinding,
): void {
  const given = replayVotes(race, events, found);
  const isOpen = record.status === 'open';
  const outcome = record.outcome ?? 'open';
  const names = (record.votes ?? []).map(({ by }) => by.subject);
  if (new Set(names).size !== names.length) found('Q2', `twice in the record: ${names.join(', ')}`);
  if (given.outcome !== outcome)
    found('Q4', `the log ends ${given.outcome}, the record ${outcome}`);
  if (outcome === 'approved' && new Set(names).size < race.approvals) {
    found('Q1', `approved by ${names.join(', ')} of ${race.approvals}`);
  }
  if (sorted(names) !== sorted(given.voters)) {
    found('Q3', `the log counts ${sorted(given.voters)}, the record ${sorted(names)}`);
  }
  judgeReplies(race, names, outcome, found);
  if (isOpen && names.length >= race.approvals) found('Q5', `open with ${names.join(', ')}`);
  const denials = stepsOf(race).filter(({ act }) => act === 'deny');
  if (outcome === 'denied' && denials.length === 0) found('Q4', 'denied, and nobody denied it');
  if (race.forged.status !== 403 && race.forged.code !== 'already_settled') {
    found('Q2', `the forged vote was answered ${race.forged.status} ${race.forged.code}`);
  }
}

/** Each vote and each withdrawal once more, by the subjects of the events alone. */
function replayVotes(
  { approvals }: QuorumRace,
  events: readonly SessionEvent[],
  found: ReportFinding,
) {
  let voters: string[] = [];
  let outcome = 'open';
  for (const { type, payload, seq } of events) {
    if (type !== 'interaction_update' && type !== 'interaction_response') continue;
    if (outcome !== 'open') found('Q4', `${type} ${seq} after the end`);
    const by = type === 'interaction_update' ? payload.by : payload.settledBy;
    const subject = by?.subject ?? '';
    if (type === 'interaction_update') {
      if (payload.change === 'vote') {
        if (voters.includes(subject)) found('Q2', `${subject} votes again in ${seq}`);
        voters = [...voters.filter((one) => one !== subject), subject];
      } else if (payload.change === 'vote_withdrawn') {
        if (!voters.includes(subject)) found('Q3', `${subject} takes back nothing in ${seq}`);
        voters = voters.filter((one) => one !== subject);
      }
      if (voters.length >= approvals) found('Q5', `still open after ${seq}: ${voters.join(', ')}`);
      continue;
    }
    outcome = payload.outcome;
    if (outcome !== 'approved') continue;
    voters = [...voters.filter((one) => one !== subject), subject];
    if (voters.length < approvals) found('Q1', `${seq}: ${voters.join(', ')} of ${approvals}`);
  }
  return { voters, outcome };
}

function judgeReplies(
  race: QuorumRace,
  names: readonly string[],
  outcome: string,
  found: ReportFinding,
): void {
  for (const step of stepsOf(race)) {
    const { person, act, status, code } = step;
    const isExpected = status === 200 || code === 'already_settled' || code === 'no_vote';
    if (!isExpected) found('Q4', `${person} ${act}: ${status} ${code}`);
    if (act === 'deny' && status === 200 && outcome !== 'denied') {
      found('Q4', `${person} denied it, and it is ${outcome}`);
    }
    if (code === 'already_settled' && outcome === 'open') {
      found('Q4', `${person} was told that it is settled, and it is open`);
    }
  }
  const approving = race.atOnce.filter(({ act, status }) => act === 'approve' && status === 200);
  for (const { person } of approving) {
    if (!names.includes(person)) found('Q3', `the vote of ${person} is lost`);
  }
  for (const steps of race.inOrder) {
    const last = steps.findLast(({ status }) => status === 200);
    if (last === undefined) continue;
    const isGiven = last.act === 'approve';
    if (names.includes(last.person) !== isGiven) {
      found('Q3', `${last.person} ends with ${last.act}, and the votes are ${names.join(', ')}`);
    }
  }
}

function stepsOf({ atOnce, inOrder }: QuorumRace): readonly VoteStep[] {
  return [...atOnce, ...inOrder.flat()];
}

function sorted(names: readonly string[]): string {
  return names.toSorted().join(', ');
}
