/**
 * One session driven by hand: `decide` and `stamp` alone.
 *
 * It processes a command in the order of every session: settle overdue interactions, look up the record that the
 * command names, decide, apply the new state. The log is kept as text, as in a database, so an event that does not
 * survive serialization is noticed.
 */
import type { Caller } from '../../src/protocol/caller.ts';
import type { AudienceRule } from '../../src/protocol/schema/audience-rule.ts';
import type { Command, CommandOf } from '../../src/protocol/schema/command.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { AgentReply, Interaction } from '../../src/protocol/schema/interaction.ts';
import type { Timeouts } from '../../src/protocol/schema/session.ts';
import type { Membership } from '../../src/core/audience.ts';
import { isDue } from '../../src/core/deadlines.ts';
import { decide } from '../../src/core/decide.ts';
import type { Aftermath, DecisionResult, OpeningFacts } from '../../src/core/decision.ts';
import { type KindRegistry, findKind } from '../../src/core/kinds/kind.ts';
import { KINDS } from '../../src/core/kinds/index.ts';
import { stamp } from '../../src/core/session-draft.ts';
import { isUnacknowledged } from '../../src/core/unacknowledged.ts';
import { foldIntoRecords } from './fold-log.ts';
import type { SessionState } from '../../src/core/state.ts';
import { agent, person, system } from './callers.ts';

export const START = 1_800_000_000_000;
export const SECOND = 1_000;
export const MINUTE = 60_000;

/** The defaults of the deployment in the tests; without defaults nothing would expire. */
export const DEADLINES: Timeouts = { approval: 600, question: 600, plan_review: 300, form: 300 };

const AGENT_COMMANDS = new Set<Command['type']>([
  'session.create',
  'interaction.open',
  'interactions.open',
  'interaction.complete',
  'cli.map',
  'history.import',
  'events.append',
]);

interface Settings {
  readonly kinds?: KindRegistry;
  readonly timeouts?: Timeouts;
  readonly forbidSelfApproval?: boolean;
  readonly audienceRules?: readonly AudienceRule[];
}

interface RunOptions {
  /** Default: the usual caller of the command. */
  readonly caller?: Caller;
  /** What the workspace knows of the caller. */
  readonly membership?: Membership;
}

export interface Cause {
  readonly command: Command;
  readonly caller: Caller;
}

export class CoreWorld {
  readonly address = { workspace: 'acme', id: 'session-1' };
  readonly kinds: KindRegistry;
  readonly timeouts: Timeouts;
  now = START;
  state: SessionState | null = null;
  readonly log: SessionEvent[] = [];
  /** Every interaction so far, as the fold of its events. */
  readonly records = new Map<string, Interaction>();
  /** The cause of each event, by `seq`. */
  readonly causes = new Map<number, Cause>();
  /** Interactions whose outcome an agent waits for, and those whose outcome an agent has. No log has either. */
  readonly #reassigned = new Map<string, string>();
  readonly #facts: Pick<Settings, 'forbidSelfApproval' | 'audienceRules'>;
  #names = 0;

  constructor({ kinds = KINDS, timeouts = DEADLINES, ...facts }: Settings = {}) {
    this.kinds = kinds;
    this.timeouts = timeouts;
    this.#facts = facts;
  }

  run(
    command: Command,
    { caller = usualCaller(command), membership }: RunOptions = {},
  ): DecisionResult {
    if (command.type !== 'deadlines.run') this.runDeadlines();
    return this.#commit(command, caller, membership);
  }

  /** Does the work of the alarm; mostly nothing is due. */
  runDeadlines(): void {
    if (isDue(this.state, this.now)) this.#commit({ type: 'deadlines.run' }, system);
  }

  /** Moves the clock and fires the alarm. */
  advance(ms: number): void {
    this.now += ms;
    this.runDeadlines();
  }

  record(interactionId: string): Interaction {
    const record = this.records.get(interactionId);
    if (record === undefined) throw new Error(`No interaction ${interactionId}`);
    return record;
  }

  /** The interaction as the agent sees it. */
  agentReply(interactionId: string): AgentReply {
    const record = this.record(interactionId);
    return findKind(this.kinds, record).reply(record);
  }

  latestOf(toolCallId: string | undefined): Interaction | undefined {
    const records = [...this.records.values()];
    return (
      records.findLast((record) => record.toolCallId === toolCallId) ??
      this.records.get(this.#reassigned.get(toolCallId ?? '') ?? '')
    );
  }

  /** The state of a session that must exist. */
  get live(): SessionState {
    if (this.state === null) throw new Error('There is no session yet');
    return this.state;
  }

  #commit(command: Command, caller: Caller, membership?: Membership): DecisionResult {
    const record = this.#recordFor(command);
    const isBatch = command.type === 'interactions.open';
    const decided = decide(this.state, command, {
      now: this.now,
      freshId: this.#freshId(),
      caller,
      timeouts: this.timeouts,
      kinds: this.kinds,
      address: this.address,
      ...this.#facts,
      ...(membership !== undefined && { membership }),
      ...(record !== undefined && { record }),
      ...(isBatch && { openings: this.#openingFacts(command) }),
      ...(command.type === 'interaction.open' && { unacknowledged: this.#unacknowledged() }),
      ...(command.type === 'interaction.undo' && { aftermath: this.#aftermath(record) }),
    });
    if (!decided.ok) return decided;
    const stamped = stamp(this.state?.head ?? 0, decided.events, this.now);
    const events = stamped.map((event) => JSON.parse(JSON.stringify(event)) as SessionEvent);
    this.state = decided.state;
    for (const event of events) this.#remember(event, { command, caller });
    return decided;
  }

  #freshId(): string {
    this.#names += 1;
    return `id-${String(this.#names).padStart(9, '0')}`;
  }

  #openingFacts({ openings }: CommandOf<'interactions.open'>): OpeningFacts[] {
    return openings.map((opening) => {
      const freshId = this.#freshId();
      if ('ok' in opening) return { freshId };
      const record = this.#recordFor(opening);
      const unacknowledged = this.#unacknowledged();
      return { freshId, unacknowledged, ...(record !== undefined && { record }) };
    });
  }

  /** What the store does when the call that has the interaction acknowledges its outcome. */
  acknowledge(interactionId: string): void {
    const record = this.record(interactionId);
    this.records.set(interactionId, { ...record, acknowledgedAt: this.now });
  }

  /** Whether an agent that may act on outcomes is connected. */
  hasAgent = false;

  #aftermath(record: Interaction | undefined): Aftermath {
    const decided = this.log.findLastIndex(
      ({ type, payload }) =>
        type === 'interaction_response' && payload.interactionId === record?.interactionId,
    );
    const { hasAgent } = this;
    return decided < 0 ? { hasAgent } : { hasAgent, events: this.log.slice(decided + 1) };
  }

  /** What the store does when an agent reads the outcome. */
  deliver(interactionId: string): void {
    const record = this.record(interactionId);
    this.records.set(interactionId, { ...record, deliveredAt: this.now });
  }

  #unacknowledged(): Interaction[] {
    return [...this.records.values()].filter(isUnacknowledged);
  }

  #remember(event: SessionEvent, cause: Cause): void {
    this.log.push(event);
    this.causes.set(event.seq, cause);
    foldIntoRecords(this.records, event);
    if (event.type !== 'interaction_update') return;
    const { interactionId, reassignedTo } = event.payload;
    if (reassignedTo === undefined) return;
    this.#reassigned.set(reassignedTo.toolCallId, interactionId);
  }

  #recordFor(command: Command): Interaction | undefined {
    switch (command.type) {
      case 'interaction.open':
        return this.latestOf(command.common.toolCallId);
      case 'interaction.answer':
        return 'interactionId' in command.target
          ? this.records.get(command.target.interactionId)
          : this.latestOf(command.target.toolCallId);
      case 'interaction.cancel':
      case 'interaction.complete':
      case 'interaction.extend':
      case 'interaction.undo':
      case 'interaction.withdraw':
      case 'interaction.claim':
      case 'interaction.handover':
        return this.records.get(command.interactionId);
      case 'message.send':
        return this.records.get(command.replyTo ?? '');
      default:
        return undefined;
    }
  }
}

export function usualCaller(command: Command): Caller {
  if (command.type === 'deadlines.run' || command.type === 'session.delete') return system;
  return AGENT_COMMANDS.has(command.type) ? agent() : person();
}

/** A session without open interactions. */
export function startedWorld(settings: Settings = {}): CoreWorld {
  const world = new CoreWorld(settings);
  world.run({ type: 'session.create' });
  return world;
}

/** A started session after these commands; a refused command is a mistake in the test. */
export function worldAfter(...commands: readonly Command[]): CoreWorld {
  const world = startedWorld();
  for (const command of commands) {
    const decided = world.run(command);
    if (!decided.ok) throw new Error(`${command.type}: ${decided.message}`);
  }
  return world;
}
