/**
 * A client that follows a session's log over sockets from its cursor, and may send commands.
 *
 * It compares every received frame with the storage at that moment.
 */
import type { Caller } from '../../src/protocol/caller.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../src/protocol/schema/interaction.ts';
import { type ClientEnd, Connection } from './connection.ts';
import { bodyOf, UNREADABLE } from './generate-batch.ts';
import { viewProblem } from './interaction-model.ts';
import type { Body } from './normalize.ts';
import type { Attempt, Operation, Outcome } from './operation.ts';
import type { SessionHost } from './session-host.ts';
import type { Simulation } from './simulation.ts';

type Frame =
  | { type: 'welcome'; head: number; open: readonly InteractionView[] }
  | { type: 'events'; events: readonly SessionEvent[] }
  | { type: 'result'; id: string; ok: true; value: Body }
  | { type: 'result'; id: string; ok: false; error: { code: string; details?: object } }
  | { type: 'error'; error: { code: string } };

type Result = Extract<Frame, { type: 'result' }>;

interface Sent {
  readonly operation: Operation;
  attempt?: Attempt;
  /** A result that arrived synchronously. */
  early?: Result;
}

export class Subscriber implements ClientEnd {
  readonly name: string;
  readonly caller: Caller;
  readonly session: SessionHost;
  connection: Connection | null = null;
  cursor = 0;
  /** The server refused further connections. */
  isTurnedAway = false;
  readonly #simulation: Simulation;
  readonly #sent = new Map<string, Sent>();

  constructor(caller: Caller, session: SessionHost, simulation: Simulation) {
    this.name = caller.subject;
    this.caller = caller;
    this.session = session;
    this.#simulation = simulation;
  }

  get canConnect(): boolean {
    return this.connection === null && !this.isTurnedAway;
  }

  /** Followed by asking the workspace whether this credential still counts. */
  connect(): void {
    const { caller, session, cursor } = this;
    const attached = session.attach(
      {
        to: 'log',
        after: cursor,
        attachment: {
          role: 'subscriber',
          caller,
          chain: [caller.credential],
          expiresAt: null,
          timeouts: {},
          held: false,
          malformed: 0,
        },
      },
      this,
    );
    if (attached instanceof Connection) {
      if (attached.cut === null) this.connection = attached;
      this.#simulation.workspace.watch(caller.credential, session.id, attached);
      return;
    }
    const isKnown = attached.code === 'not_found';
    this.#hold(isKnown, 'I7', () => `refused at ${cursor}: ${attached.code}`);
  }

  send(operation: Operation): void {
    const id = `${operation.id}.${operation.attempts}`;
    const sent: Sent = { operation };
    this.#sent.set(id, sent);
    const { connection } = this;
    this.#simulation.network.post(`a frame of ${this.name}`, () => {
      if (!this.#sent.has(id)) return;
      if (connection === null || connection.cut !== null || connection.isClosed) {
        this.#sent.delete(id);
        this.#simulation.operations.doubt(operation);
        return;
      }
      const frame = { ...frameOf(operation.command), id, idempotencyKey: operation.key };
      sent.attempt = this.#simulation.operations.watch(operation, () =>
        this.session.frame(connection, JSON.stringify(frame)),
      );
      if (sent.early !== undefined) this.#result(sent.early);
    });
  }

  receive(text: string): void {
    const frame = JSON.parse(text) as Frame;
    if (frame.type === 'welcome') this.#welcomed(frame);
    if (frame.type === 'events') for (const event of frame.events) this.#checkEvent(event);
    if (frame.type === 'result') this.#result(frame);
    if (frame.type === 'error') this.isTurnedAway = frame.error.code === 'unauthenticated';
  }

  closed(code: number): void {
    this.connection = null;
    this.#simulation.note(
      () => `  the connection of ${this.name} to ${this.session.id} ends: ${code}`,
    );
    for (const { operation } of this.#sent.values()) this.#simulation.operations.doubt(operation);
    this.#sent.clear();
  }

  #welcomed({ head, open }: Extract<Frame, { type: 'welcome' }>): void {
    const { model, confirmedHead } = this.session.ledger;
    this.#hold(head <= confirmedHead, 'gate', () => `welcome at ${head} of ${confirmedHead}`);
    this.#hold(head >= this.cursor, 'I7', () => `welcome at ${head}, it is at ${this.cursor}`);
    const expected = model.openAt(head).toSorted().join(' ');
    const shown = open
      .map((interaction) => interaction.interactionId)
      .toSorted()
      .join(' ');
    this.#hold(shown === expected, 'I7', () => `welcome shows ${shown}, open is ${expected}`);
    for (const view of open) {
      const problem = viewProblem(model.interactions.get(view.interactionId), view, head);
      this.#hold(problem === undefined, 'I7', () => `${view.interactionId}: ${problem}`);
    }
  }

  #checkEvent(event: SessionEvent): void {
    const { texts, confirmedHead } = this.session.ledger;
    const { seq } = event;
    this.#simulation.tally.received += 1;
    this.#hold(seq === this.cursor + 1, 'I7', () => `${seq} comes after ${this.cursor}`);
    this.#hold(
      seq <= confirmedHead,
      'gate',
      () => `${seq} is received, stored is ${confirmedHead}`,
    );
    const text = JSON.stringify(event);
    this.#hold(text === texts[seq - 1], 'I5', () => `${text} is stored as ${texts[seq - 1]}`);
    this.cursor = seq;
  }

  #result(frame: Result): void {
    const sent = this.#sent.get(frame.id);
    this.#hold(sent !== undefined, 'I6', () => `a second result for ${frame.id}`);
    if (sent === undefined) return;
    if (sent.attempt === undefined) {
      sent.early = frame;
      return;
    }
    this.#sent.delete(frame.id);
    const outcome: Outcome = frame.ok
      ? { ok: true, body: frame.value }
      : ({ ok: false, ...frame.error } as Outcome);
    this.#simulation.operations.check(sent.operation, sent.attempt, outcome);
    this.#simulation.operations.receive(sent.operation, sent.attempt, outcome);
  }

  #hold(claim: boolean, rule: string, evidence: () => string): void {
    const describe = () => `${this.name} of ${this.session.id}: ${evidence()}`;
    this.#simulation.judge.hold(claim, rule, describe);
  }
}

/** Commands that can go by socket; the others have no frame. */
export function hasFrame({ type }: Command): boolean {
  return FRAMES.has(type);
}

const FRAMES = new Set<Command['type']>([
  'interaction.open',
  'interactions.open',
  'interaction.cancel',
  'interactions.cancel',
  'turn.interrupt',
  'message.send',
]);

function frameOf(command: Command): object {
  switch (command.type) {
    case 'interaction.open':
      return { type: 'open', ...bodyOf(command) };
    case 'interactions.open':
      return {
        type: 'batch',
        requests: command.openings.map((one) => ('ok' in one ? UNREADABLE : bodyOf(one))),
      };
    case 'interaction.cancel':
      return { type: 'cancel', interactionId: command.interactionId, reason: command.reason };
    case 'interactions.cancel':
      return { type: 'cancel', reason: command.reason };
    case 'message.send':
      return { type: 'message', text: command.text, replyTo: command.replyTo };
    case 'turn.interrupt':
      return { type: 'interrupt' };
    default:
      throw new Error(`${command.type} has no frame`);
  }
}
