/**
 * Four sessions that live and tell in any order, and beside the workspace the few lines that say what
 * it should have taken from them: the truth it is compared with.
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
const place = fc.nat({ max: 20 });

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
    fc.record({ do: fc.constant('tell' as const), session, after: place, upTo: place }),
    fc.record({ do: fc.constant('wake' as const) }),
  ),
  { maxLength: 60 },
);

interface Member {
  readonly session: ReportingSession;
  /** What the workspace was told of that is open. */
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
    if (step.do === 'tell') return this.#tell(member, step.after, step.upTo);
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
    this.#tell(member, member.head, member.session.head);
  }

  #tell(member: Member, after: number, upTo: number): void {
    const head = Math.min(upTo, member.session.head);
    if (after >= head) return;
    const report = member.session.report(after, head);
    if (head > member.head && after <= member.head) {
      member.head = head;
      for (const id of report.closed) member.reportedOpen.delete(id);
      for (const { interactionId } of report.open) member.reportedOpen.add(interactionId);
      if (report.deletedAt !== null) member.reportedOpen.clear();
    }
    const heard = this.harness.workspace.applyReport(report);
    if (heard === member.head) return;
    throw new Error(`Heard ${JSON.stringify(heard)} instead of ${member.head}`);
  }

  /** What should be shown, and what is: in the pages, in the total, and in the list of sessions. */
  expected() {
    const told = this.members.flatMap(({ session, reportedOpen: told }) =>
      [...told].map((id) => `${session.id}/${id}`),
    );
    const listed = this.members.filter(({ head, session }) => head > 0 && !this.#isGone(session));
    return {
      inbox: told.toSorted(),
      total: told.length,
      sessions: listed
        .map(({ session, reportedOpen: told }) => `${session.id} has ${told.size}`)
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
