/**
 * The agents' runs in a session, by an observer's own reading of the log: a report may end only interactions of its
 * sender, and a run that its sender has ended may leave none open.
 */
import type { Opener } from '../../src/protocol/schema/actor.ts';
import type { Caller } from '../../src/protocol/caller.ts';
import type { EventOf } from '../../src/protocol/schema/event.ts';
import type { InteractionModel } from './interaction-model.ts';
import type { Judge } from './judge.ts';

interface Run {
  readonly turnId: string | undefined;
  readonly beganAt: number;
}

type End = EventOf<'turn_started'> | EventOf<'turn_ended'> | EventOf<'error'>;

/** The service's reasons for interactions that a report ends, and for no others. */
const REASONS: ReadonlySet<string> = new Set([
  'Tool call finished',
  'Tool call failed',
  'Turn ended',
  'Agent failed',
  'Another turn began',
]);

export class RunModel {
  /** The credentials that opened or reported anything. */
  readonly #agents = new Set<string>();
  readonly #runs = new Map<string, Run>();
  readonly #judge: Judge;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** With several credentials a report may be refused, because it concerns another's turn. */
  hasOthersThan({ credential }: Caller): boolean {
    return [...this.#agents].some((agent) => agent !== credential);
  }

  asked({ openedBy }: EventOf<'interaction_request'>['payload']): void {
    this.#agents.add(openedBy.credential);
  }

  settled({ id, asked }: InteractionModel, { payload }: EventOf<'interaction_response'>): void {
    const { reason = '', settledBy, outcome } = payload;
    if (outcome !== 'cancelled' || !REASONS.has(reason)) return;
    const isOwn = settledBy.subject === asked.openedBy.subject;
    this.#judge.hold(isOwn, 'owner', () => `${id} of ${asked.openedBy.subject}: ${reason}`);
  }

  /** Call before the event is applied; `open` holds the interactions that are still open. */
  reported(event: End, open: readonly InteractionModel[]): void {
    const { by } = event.payload;
    // A person ended the turn: open interactions were cancelled, and the model of the log checks that.
    if (by === undefined) {
      for (const [agent, { turnId }] of this.#runs) {
        if (event.turnId === undefined || turnId === undefined || turnId === event.turnId) {
          this.#runs.delete(agent);
        }
      }
      return;
    }
    this.#agents.add(by.credential);
    const run = this.#runs.get(by.credential);
    const isStart = event.type === 'turn_started';
    if (isStart && run !== undefined && event.turnId !== undefined && run.turnId === event.turnId) {
      this.#runs.set(by.credential, { turnId: event.turnId, beganAt: event.at });
      return;
    }
    this.#nothingLeft(event, by, run, open);
    const isEnd = event.turnId === undefined || (run?.turnId ?? event.turnId) === event.turnId;
    if (isStart) this.#runs.set(by.credential, { turnId: event.turnId, beganAt: event.at });
    else if (isEnd) this.#runs.delete(by.credential);
  }

  cleared(): void {
    this.#runs.clear();
  }

  #nothingLeft(
    event: End,
    by: Opener,
    run: Run | undefined,
    open: readonly InteractionModel[],
  ): void {
    const isStart = event.type === 'turn_started';
    if (isStart && run === undefined) return;
    const name = isStart ? run?.turnId : (event.turnId ?? run?.turnId);
    const isUnnamed = isStart || event.turnId === undefined;
    const left = open.find(({ asked, turnId }) => {
      if (asked.openedBy.credential !== by.credential || asked.detached === true) return false;
      if (name !== undefined && turnId === name) return true;
      const isOfRun = isUnnamed && asked.openedAt >= (run?.beganAt ?? 0);
      return isOfRun && (turnId === undefined || name === undefined);
    });
    this.#judge.hold(
      left === undefined,
      'run',
      () => `${event.type} ${event.turnId ?? ''} of ${by.subject} leaves ${left?.id} open`,
    );
  }
}
