/**
 * Four sessions that change and report in any order, and a model of what the workspace must have applied of their
 * reports. The workspace is compared with the model.
 */
import * as fc from 'fast-check';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, valueOf, wholeInbox, WorkspaceHarness } from './workspace-harness.ts';

export type Step =
  | { do: 'ask'; session: number; in: number | null }
  | { do: 'settle' | 'extend' | 'overdue' | 'say' | 'remove' | 'catch up'; session: number }
  /** A report of a stretch of the log that may be old, new, overlapping or beyond a gap. */
  | { do: 'tell'; session: number; after: number; upTo: number }
  | { do: 'wake' };

const session = fc.nat({ max: 3 });
const position = fc.nat({ max: 20 });

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('ask' as const),
      session,
      in: fc.option(fc.nat({ max: 5 }), { nil: null }),
    }),
    fc.record({
      do: fc.constantFrom(
        ...(['settle', 'extend', 'overdue', 'say', 'remove', 'catch up', 'catch up'] as const),
      ),
      session,
    }),
    fc.record({ do: fc.constant('tell' as const), session, after: position, upTo: position }),
    fc.record({ do: fc.constant('wake' as const) }),
  ),
  { maxLength: 60 },
);

interface Member {
  readonly session: ReportingSession;
  /** The open interactions that were reported. */
  readonly reportedOpen: Set<string>;
  head: number;
  isDeleted: boolean;
}

export class ReportModel {
  readonly harness = new WorkspaceHarness();
  readonly members: readonly Member[] = [0, 1, 2, 3].map((n) => ({
    session: new ReportingSession(`s-${n}`),
    reportedOpen: new Set(),
    head: 0,
    isDeleted: false,
  }));
  #asked = 0;

  take(step: Step): void {
    if (step.do === 'wake') return this.harness.wake();
    const member = this.members[step.session];
    if (member === undefined) return;
    if (step.do === 'catch up') return this.catchUp(member);
    if (step.do === 'tell') return this.#report(member, step.after, step.upTo);
    if (!member.isDeleted) this.#live(member, step);
  }

  #live(member: Member, step: Step): void {
    const { session } = member;
    const { now } = this.harness;
    const [first] = session.open.keys();
    if (step.do === 'say') session.appendOther();
    if (step.do === 'remove') {
      session.remove(now);
      member.isDeleted = true;
    }
    if (step.do === 'ask') {
      this.#asked += 1;
      session.ask(`call-${this.#asked}~1`, step.in === null ? null : now + step.in * MINUTE);
    }
    if (first === undefined) return;
    if (step.do === 'settle') session.settle(first);
    if (step.do === 'extend') session.change(first, { expiresAt: now + 9 * MINUTE });
    if (step.do === 'overdue') session.change(first, { expiresAt: null, overdue: true });
  }

  catchUp(member: Member): void {
    this.#report(member, member.head, member.session.head);
  }

  #report(member: Member, after: number, upTo: number): void {
    const head = Math.min(upTo, member.session.head);
    if (after >= head) return;
    const report = member.session.report(after, head);
    if (head > member.head && after <= member.head) {
      member.head = head;
      for (const id of report.closed) member.reportedOpen.delete(id);
      for (const { interactionId } of report.open) member.reportedOpen.add(interactionId);
      if (report.deletedAt !== null) member.reportedOpen.clear();
    }
    const knownHead = this.harness.workspace.applyReport(report);
    if (knownHead === member.head) return;
    throw new Error(`Replied ${JSON.stringify(knownHead)} instead of ${member.head}`);
  }

  /** The expected inbox, total and list of sessions; `shown` gives the actual ones. */
  expected() {
    const open = this.members.flatMap(({ session, reportedOpen }) =>
      [...reportedOpen].map((id) => `${session.id}/${id}`),
    );
    const listed = this.members.filter(({ head, session }) => head > 0 && !this.#isGone(session));
    return {
      inbox: open.toSorted(),
      total: open.length,
      sessions: listed
        .map(({ session, reportedOpen }) => `${session.id} has ${reportedOpen.size}`)
        .toSorted(),
    };
  }

  shown(): ReturnType<ReportModel['expected']> {
    const { workspace } = this.harness;
    const entries = wholeInbox(this.harness, { limit: 2 });
    const { sessions } = valueOf(workspace.sessions({}));
    return {
      inbox: entries.map((entry) => `${entry.sessionId}/${entry.interactionId}`).toSorted(),
      total: valueOf(workspace.inbox({})).total,
      sessions: sessions.map(({ id, open }) => `${id} has ${open}`).toSorted(),
    };
  }

  #isGone({ id }: ReportingSession): boolean {
    return this.harness.store.sessions.find(id)?.deletedAt != null;
  }
}
