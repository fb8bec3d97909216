/**
 * Openings that wait for the tool call they describe.
 *
 * The wait is before the entry point of the session: `Session.handle` never waits, so that nothing comes between the
 * choice of a call and the commit that takes it. An opening that cannot wait runs at once: it names its call or describes
 * none, its idempotency key is known, or it is refused or decided without a person whichever call it belongs to.
 *
 * 1. `run` is called synchronously at the moment of the choice, once for each request that shares the wait.
 * 2. A choice never runs within a command: after a commit it runs in a task of its own.
 * 3. The waiting requests are in memory only. After a crash their clients send them again, and the calls are read from
 *    the end of the log.
 */
import {
  chooseCalls,
  type Choice,
  type ReportedCall,
  type WaitingRequest,
} from '../core/rendezvous.ts';
import type { DecisionResult } from '../core/decision.ts';
import type { OpenCommand } from '../core/decisions/read-opening.ts';
import { findOpenForToolCall, type SessionState } from '../core/state.ts';
import type { Command, Context } from '../protocol/schema/command.ts';
import { reject, type Rejection } from '../protocol/errors.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import { LIMITS } from '../protocol/limits.ts';
import { findEarlierResult, rejectReuse, resultKeyOf } from './find-result.ts';
import type { SessionPorts } from './ports.ts';
import { ReportedCalls } from './reported-calls.ts';
import type { HandleResult } from './command-result.ts';

interface Waiting extends WaitingRequest {
  readonly command: OpenCommand;
  readonly key: string | undefined;
  readonly bodyHash: string | undefined;
  readonly sharers: { run(command: OpenCommand): void; refuse(why: Rejection): void }[];
  isDue: boolean;
}

interface RendezvousPorts extends Pick<SessionPorts, 'store' | 'now' | 'later' | 'soon' | 'warn'> {
  readonly current: () => SessionState | null;
  readonly handle: (command: Command, context: Context) => HandleResult;
  /** Decides without a commit. */
  readonly decide: (command: OpenCommand, context: Context) => DecisionResult;
  /** The built-in agent made this call. */
  readonly isOwnCall: (toolCallId: string) => boolean;
}

/** How much of the log is parsed at once. */
const EVENTS_AT_ONCE = 1_000;

export class Rendezvous {
  readonly #ports: RendezvousPorts;
  /** Oldest first. */
  #waiting: Waiting[] = [];
  /** Undefined until a request describes a call, and again when none has for a while. */
  #calls: ReportedCalls | undefined;
  #usedAt = 0;
  #isLooking = false;

  constructor(ports: RendezvousPorts) {
    this.#ports = ports;
  }

  /** Calls `run` once, now or when the call is found or the time is up; a refusal if the request is withdrawn before. */
  open<Result>(
    command: OpenCommand,
    context: Context,
    run: (command: OpenCommand) => Result,
  ): Result | Promise<Result | Rejection> {
    const { correlate, toolCallId } = command.common;
    const { store, now } = this.#ports;
    if (correlate === undefined || toolCallId !== undefined) return run(command);
    if (findEarlierResult(store, command, context, now()) !== undefined) return run(command);
    const key = resultKeyOf(command, context);
    const bodyHash = context.idempotency?.bodyHash;
    const same = this.#waiting.find((one) => key !== undefined && one.key === key);
    if (same !== undefined && same.bodyHash !== bodyHash)
      return Promise.resolve(rejectReuse(context));
    if (same === undefined && !this.#wouldAsk(command, context)) return run(command);
    if (this.#isFull()) return Promise.resolve(TOO_MANY);
    return new Promise((resolve, fail) => {
      const sharer = {
        refuse: resolve,
        run(resolved: OpenCommand) {
          try {
            resolve(run(resolved));
          } catch (cause) {
            fail(cause);
          }
        },
      };
      if (same !== undefined) same.sharers.push(sharer);
      else this.#wait({ command, correlate, key, bodyHash, sharers: [sharer], isDue: false });
    });
  }

  /** Handles a command; an opening may first wait for its tool call. */
  async handle(command: Command, context: Context): Promise<HandleResult> {
    const { handle } = this.#ports;
    if (command.type !== 'interaction.open') return handle(command, context);
    return this.open(command, context, (opening) => handle(opening, context));
  }

  /** Whether the session would open it and wait for a person. */
  #wouldAsk(command: OpenCommand, context: Context): boolean {
    const decided = this.#ports.decide(command, context);
    return decided.ok && decided.reply.type === 'interaction';
  }

  #isFull(): boolean {
    const sharers = this.#waiting.reduce((sum, one) => sum + one.sharers.length, 0);
    return sharers >= LIMITS.openInteractions;
  }

  #wait(waiting: Waiting): void {
    this.#usedAt = this.#ports.now();
    this.#calls ??= this.#readCalls();
    this.#waiting.push(waiting);
    this.#ports.later(LIMITS.rendezvousMs, () => {
      waiting.isDue = true;
      this.#look();
    });
    this.#look();
  }

  /** Called after every commit. */
  apply(events: readonly SessionEvent[]): void {
    const isUnused = this.#ports.now() - this.#usedAt > LIMITS.rendezvousCallMs;
    if (isUnused && this.#waiting.length === 0) this.#calls = undefined;
    for (const event of events) {
      this.#calls?.apply(event);
      if (event.type === 'context_cleared') this.refuse(withdrawn('cleared'));
      if (event.type === 'session_status' && event.payload.status === 'deleted') {
        this.refuse(reject('session_deleted', 'This session was deleted'));
      }
    }
    this.#lookSoon();
  }

  /** Refuses all that waits. */
  refuse(why: Rejection): void {
    const refused = this.#waiting;
    this.#waiting = [];
    for (const { sharers } of refused) for (const sharer of sharers) sharer.refuse(why);
  }

  #lookSoon(): void {
    if (this.#isLooking || this.#waiting.length === 0) return;
    this.#isLooking = true;
    const look = () => {
      this.#isLooking = false;
      this.#look();
    };
    // Without a `this`, which a function of the platform refuses.
    const { soon, later } = this.#ports;
    if (soon === undefined) later(0, look);
    else soon(look);
  }

  #look(): void {
    if (this.#waiting.length === 0) return;
    const choices = chooseCalls(this.#waiting, this.#findFreeCalls());
    const chosen = new Set(choices.map(({ request }) => request));
    this.#waiting = this.#waiting.filter((one) => !chosen.has(one));
    for (const choice of choices) {
      const command = resolve(choice);
      for (const sharer of choice.request.sharers) sharer.run(command);
    }
  }

  /** Unfinished calls that no request has, and that a person has neither refused nor still to decide. */
  #findFreeCalls(): ReportedCall[] {
    const { current, store, now, isOwnCall } = this.#ports;
    const open = current()?.open ?? new Map<string, never>();
    const calls = this.#calls?.listUnfinished(now()) ?? [];
    return calls.filter(({ toolCallId }) => {
      if (isOwnCall(toolCallId) || findOpenForToolCall(open, toolCallId) !== undefined)
        return false;
      const record = store.latestRecord(toolCallId);
      if (record === undefined) return true;
      const mayRun = record.outcome === 'approved' || record.outcome === 'answered';
      return mayRun && record.correlated === undefined;
    });
  }

  /** From the end of the log, as far back as a call may be, and no further than the limit. */
  #readCalls(): ReportedCalls {
    const { store, now, current } = this.#ports;
    const since = now() - LIMITS.rendezvousCallMs;
    const events: SessionEvent[][] = [];
    let before = (current()?.head ?? 0) + 1;
    let room = LIMITS.rendezvousLogBytes;
    while (room > 0 && before > 1) {
      const fit = { maxEvents: EVENTS_AT_ONCE, maxBytes: Math.min(room, LIMITS.pageBytes) };
      const chunk = store.readLogBefore(before, fit);
      if (chunk === undefined) break;
      const read = JSON.parse(`[${chunk.json}]`) as SessionEvent[];
      events.push(read);
      room -= chunk.json.length;
      before = chunk.lastSeq - chunk.count + 1;
      if ((read[0]?.at ?? 0) < since) break;
    }
    const calls = new ReportedCalls();
    for (const event of events.toReversed().flat()) calls.apply(event);
    return calls;
  }
}

/** The ids of the call become those of the interaction, which keeps its own tool name. */
function resolve({ request: { command }, found }: Choice<Waiting>): OpenCommand {
  if (found === undefined) return command;
  const { call, correlated } = found;
  const {
    toolCallId,
    turnId = command.common.turnId,
    responseId = command.common.responseId,
  } = call;
  const common = {
    ...command.common,
    toolCallId,
    ...(turnId !== undefined && { turnId }),
    ...(responseId !== undefined && { responseId }),
  };
  return { ...command, common, correlated };
}

export function withdrawn(by: 'cleared' | 'interrupted'): Rejection {
  return reject(
    'session_interrupted',
    `The session was ${by} before the request opened. Ask again if it is still needed.`,
    { by },
  );
}

const TOO_MANY = reject(
  'limit_reached',
  'Too many requests wait for their tool calls in this session; send this one again later',
  { limit: 'openInteractions', max: LIMITS.openInteractions },
);
