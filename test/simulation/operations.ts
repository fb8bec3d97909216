/**
 * The commands of clients and their known state: in progress, in doubt, accepted or refused.
 *
 * An answer counts only when the client receives it. Its evidence must then be in storage already, and a repeat of the
 * command with its key must get the same answer, unless a crash lost the effect.
 */
import { normalizeBody } from './normalize.ts';
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

export class Operations {
  readonly all: Operation[] = [];
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** The mark for the text of the next command. */
  get nextMark(): string {
    return markOf(this.all.length);
  }

  begin(
    session: SessionHost,
    generated: GeneratedCommand,
    how: Pick<Operation, 'key' | 'by' | 'isNear'>,
  ): void {
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
    this.send(operation);
  }

  send(operation: Operation): void {
    const { session, by } = operation;
    operation.state = 'under way';
    operation.attempts += 1;
    this.#simulation.note(() => `  ${nameOf(operation)} ${JSON.stringify(operation.command)}`);
    if (by !== undefined) {
      by.send(operation);
      return;
    }
    type Done = Attempt & { readonly result: Outcome };
    const reply = (done: Done) => this.receive(operation, done, done.result);
    const fail = () => this.doubt(operation);
    const ask = (answer: (done: Done) => void, failed: (cause: unknown) => void) =>
      session.host.serve(() => this.#handle(operation), answer, failed);
    if (operation.isNear) ask(reply, fail);
    else this.#simulation.network.call<Done>(nameOf(operation), 'client', ask, { reply, fail });
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

  async #handle(operation: Operation): Promise<Attempt & { readonly result: Outcome }> {
    const { session, command, caller, key } = operation;
    const inner = session.host.wake();
    const attempt = this.watch(operation, () =>
      inner.handle(command, {
        caller,
        timeouts: {},
        ...(key !== undefined && { idempotency: { key, bodyHash: JSON.stringify(command) } }),
      }),
    );
    const handled = attempt.result;
    const outcome = handled as Outcome;
    this.check(operation, attempt, outcome);
    if (handled.ok && handled.mustReportFirst) await inner.waitForReport();
    return { ...attempt, result: outcome };
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
    const { head = 0, interaction } = body;
    this.#hold(head <= confirmedHead, operation, 'gate', () => `head ${head} of ${confirmedHead}`);
    if (interaction !== undefined) {
      const known = model.interactions.get(interaction.interactionId);
      const problem = viewProblem(known, interaction, confirmedHead);
      const rule = interaction.status === 'open' ? 'I1' : 'I2';
      this.#hold(problem === undefined, operation, rule, () => `${problem}: ${normalized}`);
    }
    if (operation.isUnmarked === true || body.cancelled === 0) return;
    const seqs = this.#marks(operation);
    const isThere = seqs.some((seq) => seq <= confirmedHead);
    this.#hold(isThere, operation, 'I1', () => `its words are not in the log: ${normalized}`);
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
      const count = operation.session.model.marks.get(markOf(operation.id))?.length ?? 0;
      const most = operation.key === undefined ? operation.attempts : 1;
      this.#hold(count <= most, operation, 'I6', () => `its words are ${count} times in the log`);
      const { state, doubts, result } = operation;
      const isRefused = state === 'refused' && doubts === 0 && result === undefined;
      const isThere = this.#marks(operation).length > 0;
      this.#hold(!isRefused || !isThere, operation, 'I6', () => 'it was refused and is there');
    }
  }

  mayRepeat({ key, firstAt }: Operation): boolean {
    return key !== undefined && this.#simulation.now - firstAt < KEY_MS / 2;
  }

  #marks({ id, session }: Operation): readonly number[] {
    const { marks } = session.model;
    const mark = markOf(id);
    return [mark, queuedMark(mark), stepMark(mark)].flatMap((name) => marks.get(name) ?? []);
  }

  #hold(claim: boolean, operation: Operation, rule: string, evidence: () => string): void {
    this.#simulation.judge.hold(
      claim,
      rule,
      () => `${nameOf(operation)} ${JSON.stringify(operation.command)}: ${evidence()}`,
    );
  }
}
