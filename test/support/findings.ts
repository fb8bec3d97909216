/** What was found broken, with the evidence for it; a run that finds anything has failed. */
export interface Finding {
  /** The invariant, such as `I4`. */
  readonly rule: string;
  readonly session: string;
  readonly evidence: string;
  /** Where in the run it was, such as `kill 12`. */
  readonly when: string;
}

/** One broken thing is often seen by many; the first ones say enough. */
const KEPT = 50;
const EVIDENCE_CHARS = 1_500;

export class Findings {
  readonly kept: Finding[] = [];
  /** All of them, also those that are not kept. */
  count = 0;
  /** Set by the run as it goes on. */
  when = '';

  add(rule: string, session: string, evidence: string): void {
    this.count += 1;
    if (this.kept.length >= KEPT) return;
    this.kept.push({ rule, session, evidence: evidence.slice(0, EVIDENCE_CHARS), when: this.when });
  }

  lines(): string[] {
    return this.kept.map(
      ({ rule, session, evidence, when }) =>
        `${rule} in ${session || 'the workspace'} (${when}): ${evidence}`,
    );
  }
}
