/**
 * Keeps the first violation, under the name of the broken rule.
 *
 *  I1  every acknowledged event is in the log, at the acknowledged `seq`
 *  I2  an acknowledged outcome is the stored outcome
 *  I3  an interaction ends once, and nothing comes after its end
 *  I4  `seq` counts from 1 without a gap, and time does not go back
 *  I5  an event never changes: the same `seq` is the same bytes, in the log and for every reader
 *  I6  a repeated command gets the first result, and its effect is there once
 *  I7  a subscriber's stream is the log from its cursor on: no gap, no duplicate, no omission
 *  I8  a session with a deadline has an alarm, or the workspace wakes it
 *  I9  no interaction expires before its deadline, and no answer counts at or after it
 *  I11 the workspace never knows more than the log, and eventually knows all of it
 *  I14 no error but a refusal, and `write_failed` only when a write failed
 *  gate    no reply or frame leaves before its write is in storage
 *  pending `interaction_pending` alternates, right before a request and right after a response
 *  table   each command gets the answer of the race table
 *  fold    the state loaded from storage is the fold of the log
 *  waiter  every waiter receives the outcome, or can read it
 *  audit   every decision is in the audit list, once
 *  announced each event that others wait for is announced in the report that covers it
 *  owner   a report ends nothing that another credential opened
 *  batch   the openings of a batch that are not refused are one commit, and the refused ones are not in the log
 *  together a request that answers in several sessions has the result of each answer, in their order
 *  run     the end of a run leaves nothing open that its agent asked in it
 *  revoked no subscriber receives anything with a refused credential
 *
 * The judge never throws: a session catches the errors of its sockets.
 */
export interface Verdict {
  readonly rule: string;
  readonly evidence: string;
}

const EVIDENCE_CHARS = 1_200;

export class Judge {
  verdict: Verdict | null = null;

  hold(claim: boolean, rule: string, evidence: () => string): void {
    if (claim || this.verdict !== null) return;
    this.verdict = { rule, evidence: evidence().slice(0, EVIDENCE_CHARS) };
  }
}
