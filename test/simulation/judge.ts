/**
 * Keeps the first thing that was found broken, under the name of the rule it breaks.
 *
 *  I1  what was acknowledged is in the log, with the place that was named
 *  I2  an acknowledged ending is the ending that is stored
 *  I3  an interaction ends once, and nothing comes after its end
 *  I4  `seq` counts from 1 without a gap, and time does not go back
 *  I5  an event never changes: the same `seq` is the same bytes, in the log and to everybody
 *  I6  a repeated command gets the first result, and its effect is there once
 *  I7  a subscriber's stream is the log from its cursor on: no gap, no double, and nothing left out
 *  I8  what has a deadline has an alarm, or the workspace wakes it
 *  I9  nothing expires before its deadline and nobody answers at or after it
 *  I11 the workspace never knows more than the log, and comes to know all of it
 *  I14 no error but a refusal, and `write_failed` only when a write failed
 *  gate    nobody hears of what is not in storage then
 *  pending `pending` is said in turns, right before a request and right after a response
 *  table   each command gets the answer that the table of races says
 *  fold    what is loaded from storage is what the log folds to
 *  waiter  whoever waits hears the outcome, or can read it
 *  audit   every decision is in the audit list, once
 *  announced each event that others wait for is announced in the report that covers it
 *  owner   a report ends nothing that another credential opened
 *  run     the end of a run leaves nothing open that its agent asked in it
 *  revoked nobody hears anything with a credential that was turned away
 *
 * Nothing is thrown here: a session swallows what its sockets throw.
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
