/** The violations of a run, with their evidence; a run with any finding has failed. */
export interface Finding {
  /** The invariant, such as `I4`. */
  readonly rule: string;
  readonly session: string;
  readonly evidence: string;
  /** The moment in the run, such as `kill 12`. */
  readonly when: string;
}

/** Many clients often see the same fault; the first findings are enough. */
const KEPT = 50;
const EVIDENCE_CHARS = 1_500;

export class Findings {
  readonly kept: Finding[] = [];
  /** The number of all findings, including those not kept. */
  count = 0;
  /** Updated by the run. */
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
