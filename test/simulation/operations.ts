/**
 * The commands of clients and their known state: in progress, in doubt, accepted or refused.
 *
 * An answer counts only when the client receives it. Its evidence must then be in storage already, and a repeat of the
 * command with its key must get the same answer, unless a crash lost the effect.
 */
import { type Body, normalizeBody } from './normalize.ts';
import type { Context } from '../../src/protocol/schema/command.ts';
import type { HandleResult } from '../../src/session/command-result.ts';
import { batchProblem } from './batch-problem.ts';
import { viewProblem } from './interaction-model.ts';
import { markOf, queuedMark, stepMark } from './marks.ts';
import {
  type Attempt,
  nameOf,
  type Operation,
  type Outcome,
  type GeneratedCommand,
} from './operation.ts';
import { expectedOf } from './race-table.ts';
import type { SessionHost } from './session-host.ts';
import type { Simulation } from './simulation.ts';

/** Keys are kept for a day. */
const KEY_MS = 24 * 3_600_000;

/** An attempt with the reply of the session. */
export type Handled = Attempt & { readonly result: HandleResult };

export class Operations {
  readonly all: Operation[] = [];
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** The mark for the text of the next command, or of one after it. */
  nextMark(after = 0): string {
    return markOf(this.all.length + after);
  }

  begin(
    session: SessionHost,
    generated: GeneratedCommand,
    how: Pick<Operation, 'key' | 'by' | 'isNear'>,
  ): void {
    this.send(this.add(session, generated, how));
  }

  /** Adds a command that the caller sends. */
  add(
    session: SessionHost,
    generated: GeneratedCommand,
    how: Pick<Operation, 'key' | 'by' | 'isNear' | 'together'>,
  ): Operation {
    const operation: Operation = {
      ...generated,
      ...how,
      id: this.all.length,
      session,
      firstAt: this.#simulation.now,
      state: 'under way',
      attempts: 0,
      doubts: 0,
      done: null,
      result: undefined,
      isAskedAgain: false,
    };
    this.all.push(operation);
    return operation;
  }

  send(operation: Operation): void {
    const { session, by, together } = operation;
    if (together !== undefined) {
      together.send();
      return;
    }
    this.noteAttempt(operation);
    if (by !== undefined) {
      by.send(operation);
      return;
    }
    const reply = (done: Handled) => this.receive(operation, done, done.result as Outcome);
    const fail = () => this.doubt(operation);
    const ask = (answer: (done: Handled) => void, failed: (cause: unknown) => void) =>
      session.host.serve(() => this.handle(operation), answer, failed);
    if (operation.isNear) ask(reply, fail);
    else this.#simulation.network.call<Handled>(nameOf(operation), 'client', ask, { reply, fail });
  }

  noteAttempt(operation: Operation): void {
    operation.state = 'under way';
    operation.attempts += 1;
    this.#simulation.note(() => `  ${nameOf(operation)} ${JSON.stringify(operation.command)}`);
  }

  doubt(operation: Operation): void {
    operation.doubts += 1;
    if (operation.state === 'under way') operation.state = 'in doubt';
    this.#simulation.note(() => `  the result is unknown of ${nameOf(operation)}`);
  }

  /** Runs the command, and records its expected result. */
  watch<Result>(operation: Operation, work: () => Result): Attempt & { readonly result: Result } {
    const { session } = operation;
    const { ledger, host } = session;
    const { now } = this.#simulation;
    ledger.look(now);
    const { model, rows } = ledger;
    const due = (model.nextDue ?? Number.POSITIVE_INFINITY) <= now ? 1 : 0;
    const { failures } = host.storage;
    const keptBefore = ledger.kept(operation.key);
    const isRepeat = operation.done !== null && now - operation.done.at < KEY_MS;
    if (isRepeat) this.#simulation.tally.replayed += 1;
    // The repeat comes after the key expired, so the command runs again.
    if (!isRepeat && operation.done !== null) operation.isAskedAgain = true;
    const expected = isRepeat
      ? { codes: model.exists ? ['ok'] : ['ok', 'not_found', 'session_deleted'] }
      : expectedOf(model, operation, now);
    const result = work();
    ledger.look(now);
    const isKeyNew = ledger.kept(operation.key) !== keptBefore;
    const isDone = ledger.rows > rows + due || isKeyNew;
    if (isDone && operation.key !== undefined) {
      this.#hold(!isRepeat, operation, 'I6', () => 'it is done a second time');
      operation.done = { revision: host.storage.revision, at: now };
    }
    const mayFail = host.storage.failures > failures;
    return { result, expected, isRepeat, isKept: isDone || isRepeat, mayFail };
  }

  async handle(operation: Operation, context = contextOf(operation)): Promise<Handled> {
    const { session, command } = operation;
    const inner = session.host.wake();
    const attempt = this.watch(operation, () => inner.handle(command, context));
    const handled = attempt.result;
    this.check(operation, attempt, handled as Outcome);
    if (handled.ok && handled.mustReportFirst) await inner.waitForReport();
    return attempt;
  }

  /** The reply must be the one in the race table. */
  check(operation: Operation, attempt: Attempt, outcome: Outcome): void {
    const { expected, mayFail, isRepeat } = attempt;
    const code = outcome.ok ? 'ok' : outcome.code;
    if (code === 'write_failed') {
      this.#hold(mayFail, operation, 'I14', () => 'no write failed');
      return;
    }
    if (expected === undefined) return;
    const named = outcome.ok
      ? (outcome.body.interaction?.interactionId ?? expected.interactionId)
      : undefined;
    const ending = outcome.ok ? undefined : outcome.details?.outcome;
    const fits =
      expected.codes.includes(code) &&
      (!outcome.ok || (expected.interactionId ?? named) === named) &&
      (outcome.ok || (expected.outcome ?? ending) === ending);
    const evidence = () => `${JSON.stringify(outcome)}, expected ${JSON.stringify(expected)}`;
    this.#hold(fits, operation, isRepeat ? 'I6' : 'table', evidence);
    if (outcome.ok) this.#checkBatch(operation, attempt, outcome.body);
  }

  /** Each opening of a batch gets what it gets by itself, and those that are not refused are one commit. */
  #checkBatch(operation: Operation, { expected, isRepeat }: Attempt, { results = [] }: Body): void {
    if (operation.openingMarks === undefined) return;
    const odd = expected?.openings?.problem(results);
    this.#hold(odd === undefined, operation, 'table', () => `${odd} of ${JSON.stringify(results)}`);
    const problem = operation.isAskedAgain
      ? undefined
      : batchProblem(operation.session.model, operation.openingMarks, results);
    this.#hold(problem === undefined, operation, 'batch', () => `${problem}`);
    if (isRepeat) return;
    const { tally } = this.#simulation;
    tally.batches += 1;
    const refused = results.filter(({ ok }) => !ok).length;
    if (refused > 0 && refused < results.length) tally.partlyRefused += 1;
  }

  /** The client receives the reply. */
  receive(operation: Operation, { isKept }: Attempt, outcome: Outcome): void {
    const { session, result } = operation;
    const { tally } = this.#simulation;
    this.#simulation.note(() => `  ${nameOf(operation)}: ${outcome.ok ? 'done' : outcome.code}`);
    if (!outcome.ok) {
      tally.refused += 1;
      if (operation.state !== 'accepted') operation.state = 'refused';
      return;
    }
    tally.accepted += 1;
    operation.state = 'accepted';
    const { body } = outcome;
    const normalized = normalizeBody(body);
    this.#hold(isKept || operation.key === undefined, operation, 'I6', () => 'it is not kept');
    if (isKept && operation.key !== undefined && !operation.isAskedAgain) {
      const isSame = result === undefined || result === normalized;
      this.#hold(isSame, operation, 'I6', () => `${normalized}, first it was ${result}`);
      operation.result ??= normalized;
    }
    const { model, confirmedHead } = session.ledger;
    const { head = 0, interaction, results = [] } = body;
    this.#hold(head <= confirmedHead, operation, 'gate', () => `head ${head} of ${confirmedHead}`);
    const opened = results.map((one) => (one.ok ? one.interaction : undefined));
    for (const shown of [interaction, ...opened]) {
      if (shown === undefined) continue;
      const known = model.interactions.get(shown.interactionId);
      const problem = viewProblem(known, shown, confirmedHead);
      const rule = shown.status === 'open' ? 'I1' : 'I2';
      this.#hold(problem === undefined, operation, rule, () => `${problem}: ${normalized}`);
    }
    if (operation.isUnmarked === true || body.cancelled === 0) return;
    const isThere =
      operation.openingMarks?.every(
        (mark, index) =>
          mark === undefined || results[index]?.ok !== true || this.#isStored(operation, [mark]),
      ) ?? this.#isStored(operation, marksOf(operation));
    this.#hold(isThere, operation, 'I1', () => `its words are not in the log: ${normalized}`);
  }

  #isStored({ session }: Operation, marks: readonly string[]): boolean {
    const { model, confirmedHead } = session.ledger;
    return marks.some((mark) => model.marks.get(mark)?.some(({ seq }) => seq <= confirmedHead));
  }

  /** The session crashed, which may undo unconfirmed commands. */
  lost(session: SessionHost, withWrites: boolean): void {
    if (!withWrites) return;
    for (const operation of this.all) {
      const isGone = (operation.done?.revision ?? 0) > session.host.storage.confirmedRevision;
      if (operation.session === session && isGone) operation.done = null;
    }
  }

  /** Call when no message is in transit: each effect must be there as often as its sender's results say. */
  checkEffects(): void {
    for (const operation of this.all) {
      if (operation.isUnmarked === true || operation.isAskedAgain) continue;
      const { marks } = operation.session.model;
      const own = operation.openingMarks?.filter((mark) => mark !== undefined);
      const counts = (own ?? [markOf(operation.id)]).map((mark) => marks.get(mark)?.length ?? 0);
      const count = Math.max(0, ...counts);
      const most = operation.key === undefined ? operation.attempts : 1;
      this.#hold(count <= most, operation, 'I6', () => `its words are ${count} times in the log`);
      const { state, doubts, result } = operation;
      const isRefused = state === 'refused' && doubts === 0 && result === undefined;
      const isThere = (own ?? marksOf(operation)).some((mark) => marks.has(mark));
      this.#hold(!isRefused || !isThere, operation, 'I6', () => 'it was refused and is there');
    }
  }

  mayRepeat({ key, firstAt }: Operation): boolean {
    return key !== undefined && this.#simulation.now - firstAt < KEY_MS / 2;
  }

  #hold(claim: boolean, operation: Operation, rule: string, evidence: () => string): void {
    this.#simulation.judge.hold(
      claim,
      rule,
      () => `${nameOf(operation)} ${JSON.stringify(operation.command)}: ${evidence()}`,
    );
  }
}

function contextOf({ caller, command, key }: Operation): Context {
  const idempotency = key && { key, bodyHash: JSON.stringify(command) };
  return { caller, timeouts: {}, ...(idempotency && { idempotency }) };
}

/** Where the words of a command can be in the log. */
function marksOf({ id }: Operation): readonly string[] {
  const mark = markOf(id);
  return [mark, queuedMark(mark), stepMark(mark)];
}
