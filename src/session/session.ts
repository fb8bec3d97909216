/**
 * One session: the single writer that every change of it passes.
 *
 * `handle` runs to its end without waiting, so commands follow one another and the second sees the effects of the
 * first. Its steps, always in this order:
 *
 * 1. Overdue interactions end, and the end is written, so that no command answers an expired one.
 * 2. A repeated command gets its first result.
 * 3. `decideWithRun` decides from the state and the facts.
 * 4. One transaction writes log, records, settings and idempotency key.
 * 5. Only then the new state replaces the old one, and sockets, waiters, alarm and workspace receive it.
 *
 * If the write fails, nothing has happened: the session reads its state back from storage and sends nothing. Functions that
 * only read the state are in the files beside it. The file is long because nothing else may write the state.
 */
import { isOpenedByAgent } from '../agent/run/gate-tool-call.ts';
import { decideWithRun, type RunDecision } from '../agent/run/decide-run.ts';
import { findCall, isActiveRun, needsWork, type Run, type RunCommand } from '../agent/run/run.ts';
import { type CommandReply, findEffects } from '../core/decision.ts';
import type { SessionAddress } from '../core/evolve.ts';
import type { KindRegistry } from '../core/kinds/kind.ts';
import { stamp } from '../core/session-draft.ts';
import { assembleState, type SessionState, tombstoneOf } from '../core/state.ts';
import type { Caller } from '../protocol/caller.ts';
import type { Command, Context } from '../protocol/schema/command.ts';
import { reject, type Rejection } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import {
  CLOCK_CONTEXT,
  factsFor,
  factsForRun,
  type RunRules,
  type SessionContext,
} from './facts.ts';
import { sweepFiles } from './attached-files.ts';
import {
  AlarmSchedule,
  ERASE_WITHIN_MS,
  isOverdue,
  LEASE_MS,
  nextDue,
  REPORT_WITHIN_MS,
} from './alarm-schedule.ts';
import { AgentPresence } from './agent-presence.ts';
import { Subscribers } from './subscribers.ts';
import { Incarnation, Outbox, readReportAfter } from './outbox.ts';
import type { Commit, HistoryChange, KeyedResult, SessionPorts } from './ports.ts';
import { Rendezvous, withdrawn } from './rendezvous.ts';
import { findRowChanges, type RowChanges } from './row-changes.ts';
import { TurnRunner } from './turn-runner.ts';
import { findEarlierResult, resultKeyOf } from './find-result.ts';
import * as find from './find-record.ts';
import { findAftermath, UndeliveredDecisions } from './undelivered-decisions.ts';
import { commandBody, type CommandResult, type HandleResult } from './command-result.ts';
import { viewInteraction } from './view.ts';

interface CommitOptions {
  readonly keyedResult?: KeyedResult | undefined;
  /** The agent that sent the opening: a settled record in the reply counts as delivered to it. */
  readonly opener?: Caller | undefined;
  /** Set by the first commit of a session: the name of its file. */
  readonly fileName?: string | undefined;
  readonly beside?: Pick<Commit, 'history' | 'heldInputs' | 'usedFiles'>;
}

export class Session {
  readonly subscribers: Subscribers;
  readonly agents: AgentPresence;
  readonly outbox: Outbox;
  readonly runner: TurnRunner;
  readonly rendezvous: Rendezvous;
  readonly undelivered: UndeliveredDecisions;
  readonly kinds: KindRegistry;
  readonly ports: SessionPorts;
  readonly #context: SessionContext;
  #state: SessionState | null;
  #run: Run | null;
  readonly #schedule: AlarmSchedule;
  readonly #incarnation: Incarnation;

  constructor(address: SessionAddress, kinds: KindRegistry, ports: SessionPorts) {
    this.#context = { address, kinds, ports };
    this.kinds = kinds;
    this.ports = ports;
    const stored = ports.store.load();
    this.#state = stored === null ? null : assembleState(stored);
    this.#run = stored?.run ?? null;
    this.subscribers = new Subscribers({
      ...ports,
      onLeft: (attachments) => {
        for (const attachment of attachments) this.agents.leave(attachment);
      },
    });
    this.agents = new AgentPresence({
      ...ports,
      open: () => this.#state?.open.values() ?? [],
      isAgentWaiting: (record) => this.isAgentWaiting(record),
      hasSubscribers: () => this.subscribers.hasSubscribers(),
      send: (frame) => this.subscribers.announce(frame),
    });
    this.undelivered = new UndeliveredDecisions({
      ...ports,
      onShown: ({ interactionId }, shownAt) => this.agents.noteRead(interactionId, { shownAt }),
    });
    this.#schedule = new AlarmSchedule(ports);
    this.#incarnation = new Incarnation(stored?.incarnation ?? '', ports);
    this.outbox = new Outbox(stored?.reportedSeq ?? 0, {
      ...ports,
      head: () => this.#state?.head ?? 0,
      nextReport: (reportedSeq, known, written) => {
        const source = this.#incarnation.reporter(known);
        return readReportAfter(ports.store, this.#state, reportedSeq, source, written);
      },
      send: (report) => this.#incarnation.send(report),
      startOver: (known) => this.#incarnation.startOver(known),
      onReported: () => this.#finishReport(),
      onFailure: () => this.#arm(),
    });
    this.runner = new TurnRunner(
      {
        current: () => this.#atWork(),
        handle: (command, rules) => this.#handleRunCommand(command, rules),
        publish: (frame) => this.subscribers.preview(frame),
        session: ports,
      },
      this.#run,
    );
    this.rendezvous = new Rendezvous({
      ...ports,
      current: () => this.#state,
      handle: (command, context) => this.handle(command, context),
      decide: (command, context) => {
        const facts = factsFor(this.#context, context, ports.now());
        return decideWithRun(this.current(), this.#run, command, facts);
      },
      isOwnCall: (toolCallId) => findCall(this.#run, toolCallId) !== undefined,
    });
    this.#arm();
    if (isActiveRun(this.#run)) this.runner.lookSoon();
    const { head = 0 } = this.#state ?? {};
    // A crash may have come between a question and its report.
    if (head > this.outbox.reportedSeq) this.outbox.reportSoon({ isUrgent: true });
  }

  /** The present state: reading ends overdue interactions as well. */
  current(): SessionState | null {
    if (this.#isDue()) {
      this.#runDue();
      this.#arm();
    }
    return this.#state;
  }

  /** `history` is written with the events of the command. */
  handle(command: Command, context: Context, history?: HistoryChange): HandleResult {
    try {
      const handled = this.#handle(command, context, history);
      const isStop = command.type === 'turn.interrupt' && handled.ok && !handled.replayed;
      if (isStop) this.rendezvous.refuse(withdrawn('interrupted'));
      return handled;
    } finally {
      this.#arm();
    }
  }

  /** The commands of one request, each by itself: a refusal neither undoes nor stops the others. */
  handleEach(commands: readonly Command[], { idempotency, ...context }: Context): HandleResult[] {
    return commands.map((command, index) => {
      const key = idempotency && { ...idempotency, key: `${idempotency.key} ${index}` };
      return this.handle(command, { ...context, ...(key && { idempotency: key }) });
    });
  }

  #handle(command: Command, context: Context, history?: HistoryChange): HandleResult {
    const { store } = this.ports;
    const stuck = this.#runDue();
    if (stuck !== undefined) return stuck;
    const now = this.ports.now();
    const { idempotency, caller } = context;
    const opener = find.isOpening(command) ? caller : undefined;
    const key = resultKeyOf(command, context);
    if (this.#state !== null) {
      const earlier = findEarlierResult(store, command, context, now);
      if (earlier !== undefined && 'ok' in earlier) return earlier;
      if (earlier !== undefined) {
        return this.#done(earlier.reply, { replayed: true, mustReportFirst: true, opener });
      }
    }
    const isStop = command.type === 'turn.interrupt';
    const facts = {
      ...factsFor(this.#context, context, now),
      ...(this.#state && find.findFacts(this.#context, this.#state, command)),
      ...(this.#state && findAftermath(this, this.#state, command)),
      partialAnswer: isStop ? this.runner.partialAnswer() : undefined,
    };
    const decided = decideWithRun(this.#state, this.#run, command, facts);
    if (!decided.ok) return decided;
    const isEnd = isStop || command.type === 'session.clear';
    const unwritten = isEnd ? this.#write(() => store.forgetUnacknowledged()) : undefined;
    if (unwritten !== undefined) return unwritten;
    const { reply } = decided;
    const isKeyed = key !== undefined && idempotency !== undefined;
    const kept = reply.type === 'done' ? { ...reply, head: decided.state.head } : reply;
    const keyedResult = isKeyed ? { key, bodyHash: idempotency.bodyHash, reply: kept } : undefined;
    const fileName = this.#state === null ? facts.freshId : undefined;
    const beside = find.findBeside(command, this.#context, reply, { ...facts, history });
    return this.#commit(decided, now, { keyedResult, opener, fileName, beside });
  }

  /** Handles a step of the built-in agent; false if it could not be written. */
  #handleRunCommand(command: RunCommand, rules: RunRules = {}): boolean {
    if (this.#runDue() !== undefined) return false;
    const now = this.ports.now();
    const facts = factsForRun(this.#context, command, now, rules);
    const decided = decideWithRun(this.#state, this.#run, command, facts);
    const isDone = !decided.ok || this.#commit(decided, now).ok;
    if (!isDone) this.#schedule.noteWrite(false);
    this.#arm();
    return isDone;
  }

  /** Undefined if no turn of the built-in agent is active. */
  #atWork(): { readonly state: SessionState; readonly run: Run } | undefined {
    const [state, run] = [this.current(), this.#run];
    return state === null || !isActiveRun(run) ? undefined : { state, run };
  }

  /**
   * Ends what is overdue. If the end cannot be written, the command gets that refusal: otherwise an answer could win
   * after its deadline.
   */
  #runDue(): Rejection | undefined {
    if (!this.#isDue()) return undefined;
    const now = this.ports.now();
    const facts = factsFor(this.#context, CLOCK_CONTEXT, now);
    const decided = decideWithRun(this.#state, this.#run, { type: 'deadlines.run' }, facts);
    const ended = decided.ok ? this.#commit(decided, now) : decided;
    this.#schedule.noteWrite(ended.ok);
    return ended.ok ? undefined : ended;
  }

  #isDue(): boolean {
    return isOverdue(this.#state, this.#run, this.ports.now());
  }

  /** The built-in agent needs no connection: it has the outcome in the commit of the answer. */
  isAgentWaiting(record: Interaction): boolean {
    return isOpenedByAgent(record) || this.subscribers.isAgentWaiting(record);
  }

  /** An agent that waits has the outcome with this commit; one that follows the log may act on what it reads there. */
  #noteAgents(record: Interaction, now: number): Interaction {
    if (record.status !== 'settled' || record.undone !== undefined) return record;
    if (this.isAgentWaiting(record)) return { ...record, deliveredAt: now };
    return this.subscribers.isShownTo(record) ? { ...record, shownAt: now } : record;
  }

  /** Each entry point ends here: the alarm covers the earliest thing that must happen without a caller. */
  #arm(): void {
    this.#schedule.set('deadline', nextDue(this.#state, this.#run));
    this.#schedule.set('retry', this.outbox.retryAt);
    this.#schedule.set('lease', needsWork(this.#run) ? this.ports.now() + LEASE_MS : null);
    this.#schedule.arm();
  }

  /** Resolves when the workspace has the whole log, or when one attempt to report has failed. */
  async waitForReport(): Promise<void> {
    await this.outbox.waitFor(this.#state?.head ?? 0);
  }

  /** The platform calls this when the alarm fires. */
  async wake(): Promise<void> {
    await this.#schedule.fire(() => this.poke());
    this.#arm();
  }

  /**
   * Ends what is due and reports what is unreported. The workspace's sweep calls it too, and does not call again. The
   * alarm is armed before the report is awaited, or a workspace that never answers would leave the next deadline
   * uncovered.
   */
  async poke(): Promise<void> {
    this.#runDue();
    this.#schedule.set('erasure', null);
    this.#schedule.set('files', sweepFiles(this.ports, this.#state));
    if (isActiveRun(this.#run)) this.runner.look();
    const reporting = this.outbox.reportNow();
    this.#arm();
    await reporting;
  }

  /** Sets the alarm for the next attached file that nothing names. */
  sweepFilesAt(at: number | null): void {
    this.#schedule.set('files', at);
    this.#arm();
  }

  #commit(
    decision: RunDecision,
    now: number,
    { keyedResult, opener, fileName, beside }: CommitOptions = {},
  ): HandleResult {
    const before = this.#state;
    const { state: after, change } = decision;
    const events = stamp(before?.head ?? 0, decision.events, now);
    if (events.length === 0 && change === undefined) {
      const save = keyedResult && (() => this.ports.store.saveResult(keyedResult, now));
      const unwritten = save && this.#write(save);
      if (unwritten !== undefined) return unwritten;
      return this.#done(decision.reply, { replayed: false, mustReportFirst: true, opener });
    }
    const changes = findRowChanges(before, decision);
    const eventsJson = JSON.stringify(events).slice(1, -1);
    const records = changes.records.map((record) => this.#noteAgents(record, now));
    this.undelivered.note(records, now);
    try {
      this.ports.store.commit({
        ...changes,
        records,
        now,
        events,
        eventsJson,
        reportedSeq: this.outbox.reportedSeq,
        ...(fileName !== undefined && { incarnation: fileName }),
        ...(change !== undefined && { agent: change }),
        ...(keyedResult !== undefined && { keyedResult }),
        ...beside,
      });
    } catch (cause) {
      this.ports.warn('A commit failed; the session goes on from what is stored', cause);
      this.#readBack();
      return COMMIT_FAILED;
    }
    this.#state = after;
    if (fileName !== undefined) this.#incarnation.begin(fileName);
    const written = { json: eventsJson, count: events.length, lastSeq: events.at(-1)?.seq ?? 0 };
    if (events.length > 0) this.subscribers.publish(written);
    this.agents.note(records);
    if (change !== undefined) {
      this.#run = change.run;
      this.runner.applyChange(change);
    }
    this.rendezvous.apply(events);
    if (isActiveRun(this.#run)) this.runner.lookSoon();
    else this.runner.stop();
    this.#release(records, changes.reassigned);
    const { mustReportFirst, isDeleted, isUrgent } = findEffects(events);
    if (isDeleted) {
      this.subscribers.closeAll(reject('session_deleted', 'This session was deleted'), 4404);
      this.#schedule.set('erasure', now + ERASE_WITHIN_MS);
    }
    if (records.length > 0) this.#schedule.set('report', now + REPORT_WITHIN_MS);
    const chars = eventsJson.length;
    if (chars > 0) this.outbox.reportSoon({ isUrgent, written: { events, chars } });
    return this.#done(decision.reply, { replayed: false, mustReportFirst }, records);
  }

  /** Writes outside a commit, such as the result of a "cancel all" that cancelled nothing: a repeat must not cancel more. */
  #write(work: () => void): Rejection | undefined {
    try {
      work();
      return undefined;
    } catch (cause) {
      this.ports.warn('A write beside the log failed', cause);
      return COMMIT_FAILED;
    }
  }

  /** If reading fails too, memory still holds the state from before the command. */
  #readBack(): void {
    this.runner.forgetConversation();
    try {
      const stored = this.ports.store.load();
      this.#state = stored === null ? null : assembleState(stored);
      this.#run = stored?.run ?? null;
    } catch (cause) {
      this.ports.warn('A session could not be read back from storage', cause);
    }
  }

  /** Ends the waits for what has settled, and for what another call has by now: its waiter has to ask anew. */
  #release(records: readonly Interaction[], reassigned: RowChanges['reassigned'] = []): void {
    for (const record of records) {
      const isLost = reassigned.some(({ interactionId }) => interactionId === record.interactionId);
      if (record.status !== 'settled' && !isLost) continue;
      this.subscribers.release(viewInteraction(this.kinds, record, () => false));
    }
  }

  #done(
    reply: CommandReply,
    {
      opener,
      ...how
    }: Pick<CommandResult, 'replayed' | 'mustReportFirst'> & Pick<CommitOptions, 'opener'>,
    written: readonly Interaction[] = [],
  ): HandleResult {
    const state = this.#state;
    if (state === null) return reject('not_found', 'There is no such session');
    const { store } = this.ports;
    const body = commandBody(reply, state, (id) => {
      const justWritten = written.find((one) => one.interactionId === id);
      const known = justWritten ?? find.recordById(store, state.open, id);
      const record = opener ? find.followUndone(store, state.open, known) : known;
      const shown = record && opener ? find.markDelivered(this, record, opener) : record;
      return shown && viewInteraction(this.kinds, shown, (one) => this.isAgentWaiting(one));
    });
    return { ok: true, reply, body, ...how };
  }

  /** A deleted session is erased only after the workspace has its last report. */
  #finishReport(): void {
    this.#schedule.set('report', null);
    this.#schedule.set('erasure', null);
    const state = this.#state;
    if (state !== null && state.info.deletedAt !== null && state.head > 0) {
      this.ports.store.erase(state.info).catch((cause: unknown) => {
        this.ports.warn('A deleted session could not be erased; it is tried again', cause);
      });
      this.#state = { info: tombstoneOf(state.info), head: 0, open: new Map(), rules: [] };
      this.#run = null;
    }
    this.#arm();
  }
}

const COMMIT_FAILED = reject(
  'write_failed',
  'This could not be written, and nothing changed. Try again.',
);
