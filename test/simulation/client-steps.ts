/** The steps of clients: ask, answer, write, cancel, append events, repeat commands. */
import type { Command } from '../../src/protocol/schema/command.ts';
import { answer } from '../support/asks.ts';
import { admin, agent, person } from '../support/callers.ts';
import type { InteractionModel } from './interaction-model.ts';
import { generateBatch } from './generate-batch.ts';
import { InboxRequest, type PlacedAnswer } from './inbox-request.ts';
import type { Operation, GeneratedCommand } from './operation.ts';
import type { SessionHost } from './session-host.ts';
import { hasFrame } from './subscriber.ts';
import {
  generateAnswer,
  generateAppend,
  generateAsk,
  generateReport,
  generateMessage,
  type Sight,
  generateUpdate,
} from './command-generator.ts';
import type { Simulation } from './simulation.ts';

type Handler = (simulation: Simulation) => void;

export const CLIENT_STEPS = {
  ask: (simulation) =>
    generate(simulation, (sight, session) =>
      simulation.random.chance(0.15) ? again(simulation, session) : generateAsk(sight),
    ),
  'ask several': (simulation) =>
    generate(simulation, (sight, session) => askSeveral(simulation, sight, session)),
  answer: (simulation) => aboutOne(simulation, generateAnswer),
  'decide several': decideSeveral,
  say: (simulation) => generate(simulation, (sight) => generateMessage(picked(sight), sight)),
  cancel: (simulation) => aboutOne(simulation, generateCancel),
  'cancel all': (simulation) => generate(simulation, generateCancelAll),
  extend: (simulation) => aboutOne(simulation, generateExtend),
  update: (simulation) => generate(simulation, generateUpdate),
  append: (simulation) => generate(simulation, generateAppend),
  report: (simulation) => generate(simulation, generateReport),
  clear: (simulation) => generate(simulation, () => plain({ type: 'session.clear' })),
  delete: (simulation) => generate(simulation, () => plain({ type: 'session.delete' })),
  create,
  'revoke rule': (simulation) => generate(simulation, generateRevokeRule),
  retry,
  'act in the last moment': actInTheLastMoment,
} as const satisfies Record<string, Handler>;

/** A client sends a command to a session, mostly with a key and sometimes by socket. */
function generate(
  simulation: Simulation,
  make: (sight: Sight, session: SessionHost) => GeneratedCommand | undefined,
): void {
  const session = pickSession(simulation);
  const made = make(sightOf(simulation, session), session);
  if (made !== undefined) begin(simulation, session, made);
}

function sightOf({ operations, random }: Simulation, { model }: SessionHost, after = 0): Sight {
  const id = String(operations.all.length + after);
  return { model, mark: operations.nextMark(after), random, id };
}

/** Sends an answer without delay, with a key for repeats. */
export function answerNow(
  simulation: Simulation,
  session: SessionHost,
  record: InteractionModel,
): void {
  actNow(simulation, session, record, generateAnswer);
}

function actNow(
  simulation: Simulation,
  session: SessionHost,
  record: InteractionModel,
  make: About,
): void {
  const sight = sightOf(simulation, session);
  simulation.operations.begin(session, make(record, sight), {
    key: `key-${sight.id}-padded`,
    by: undefined,
    isNear: true,
  });
}

function begin(simulation: Simulation, session: SessionHost, made: GeneratedCommand): void {
  const { random, operations, subscribers } = simulation;
  const sockets = subscribers.filter(
    (operation) =>
      operation.session === session &&
      operation.connection !== null &&
      operation.caller.credential === made.caller.credential,
  );
  const by = hasFrame(made.command) && random.chance(0.5) ? random.pick(sockets) : undefined;
  const key = random.chance(0.85) ? `key-${operations.all.length}-padded` : undefined;
  operations.begin(session, made, { key, by, isNear: random.chance(0.05) });
}

/** Mostly one of the first existing sessions; sometimes a deleted session. */
export function pickSession({ sessions, random }: Simulation): SessionHost {
  const living = sessions.filter((session) => session.model.deletedAt === null);
  const pool = living.length === 0 || random.chance(0.05) ? sessions : living;
  const found = random.chance(0.5) ? pool[0] : random.pick(pool);
  if (found === undefined) throw new Error('A run begins with sessions');
  return found;
}

/** Mostly an open interaction, sometimes a settled one, rarely none. */
export function picked({ model, random }: Pick<Sight, 'model' | 'random'>) {
  const all = [...model.interactions.values()];
  const { open } = model;
  const pool: InteractionModel[] = open.length > 0 && random.chance(0.85) ? open : all.slice(-8);
  return random.chance(0.02) ? undefined : random.pick(pool);
}

function plain(command: Command): GeneratedCommand {
  return { caller: admin(), command, isUnmarked: true };
}

/** Repeats an earlier question word for word, like an agent that has forgotten the question. */
function again(
  { operations, random }: Simulation,
  session: SessionHost,
): GeneratedCommand | undefined {
  const before = random.pick(asked(operations.all, session).slice(-6));
  if (before === undefined) return undefined;
  before.isAskedAgain = true;
  return { caller: before.caller, command: before.command, isUnmarked: true };
}

/** The questions that agents asked one by one in this session. */
function asked(all: readonly Operation[], session: SessionHost): Operation[] {
  return all.filter(
    (operation) => operation.session === session && operation.command.type === 'interaction.open',
  );
}

/** An agent with parallel calls asks about all of them, and about some of them once more. */
function askSeveral(
  { operations, random }: Simulation,
  sight: Sight,
  session: SessionHost,
): GeneratedCommand {
  const caller = random.chance(0.15) ? agent('stranger') : agent();
  const own = asked(operations.all, session).filter(
    (operation) => operation.caller.credential === caller.credential,
  );
  const repeated = random.sample(own.slice(-6), random.pick([0, 0, 1, 2]));
  for (const operation of repeated) operation.isAskedAgain = true;
  return generateBatch(
    sight,
    caller,
    repeated.map(({ command }) => command),
  );
}

/** A person answers what the inbox shows of several sessions in one request. */
function decideSeveral(simulation: Simulation): void {
  const { random, sessions } = simulation;
  const caller = person(random.pick(['ada', 'bob']));
  const answers: PlacedAnswer[] = [];
  for (const session of sessions) {
    const records = random.sample(session.model.open, random.int(1, 2));
    const some = records.length > 0 ? records : [picked({ model: session.model, random })];
    for (const record of some) {
      if (record === undefined) continue;
      const { command, ...generated } = generateAnswer(
        record,
        sightOf(simulation, session, answers.length),
      );
      if (command.type !== 'interaction.answer') continue;
      const byId = answer(record.id, command.answer);
      answers.push({ session, generated: { ...generated, caller, command: byId } });
    }
  }
  if (answers.length > 1) new InboxRequest(simulation, caller, answers).send();
}

type About = (record: InteractionModel | undefined, sight: Sight) => GeneratedCommand;

/** Sometimes two clients send the same at once; without an open interaction, mostly no client sends. */
function aboutOne(simulation: Simulation, make: About): void {
  const { random } = simulation;
  const session = pickSession(simulation);
  const record = picked({ model: session.model, random });
  if (record === undefined && random.chance(0.9)) return;
  for (let left = random.chance(0.2) ? 2 : 1; left > 0; left -= 1) {
    begin(simulation, session, make(record, sightOf(simulation, session)));
  }
}

function generateCancel(record: InteractionModel | undefined, sight: Sight): GeneratedCommand {
  const isAgents = record?.asked.openedBy.subject === 'agent' && sight.random.chance(0.5);
  const interactionId = record?.id ?? 'call-0~9';
  return {
    caller: isAgents ? agent() : person(),
    command: { type: 'interaction.cancel', interactionId, reason: `because ${sight.mark}` },
  };
}

function generateCancelAll({ mark, random }: Sight): GeneratedCommand {
  if (random.chance(0.3)) return plain({ type: 'turn.interrupt' });
  return { caller: person(), command: { type: 'interactions.cancel', reason: `because ${mark}` } };
}

function generateExtend(record: InteractionModel | undefined): GeneratedCommand {
  const interactionId = record?.id ?? 'call-0~9';
  const command = { type: 'interaction.extend', interactionId } as const;
  return { caller: person(), command, isUnmarked: true };
}

function generateRevokeRule({ model, random }: Sight): GeneratedCommand {
  const ruleId = random.pick([...model.rules]) ?? 'none';
  return plain({ type: 'rule.revoke', ruleId });
}

/** A new session, or an existing session that a client takes for new. */
function create(simulation: Simulation): void {
  const { random, operations, sessions } = simulation;
  const isNew = sessions.length < 3 || (random.chance(0.4) && sessions.length < 6);
  const session = isNew ? simulation.addSession() : pickSession(simulation);
  const title = `Title ${operations.nextMark()}`;
  begin(simulation, session, { caller: agent(), command: { type: 'session.create', title } });
}

/** A client repeats a command in doubt, and sometimes one whose result it knows. */
function retry(simulation: Simulation): void {
  const { random, operations } = simulation;
  const recent = operations.all.slice(-40).filter((operation) => operations.mayRepeat(operation));
  const inDoubt = recent.filter((operation) => operation.state === 'in doubt');
  const pool: Operation[] = inDoubt.length > 0 && random.chance(0.8) ? inDoubt : recent;
  const operation = random.pick(pool);
  if (operation === undefined || operation.by?.connection === null) return;
  operations.send(operation);
}

/**
 * An answer exactly at a deadline, or one millisecond before, that arrives without delay. Sometimes the disk is full at
 * this moment, and the session cannot store the expiry.
 */
function actInTheLastMoment(simulation: Simulation): void {
  const { random } = simulation;
  const session = pickSession(simulation);
  const waiting = session.model.open.filter(
    (interaction) => (interaction.deadline ?? 0) > simulation.now,
  );
  const record = random.pick(waiting);
  if (record === undefined) return;
  simulation.now = (record.deadline ?? 0) - random.pick([0, 0, 1]);
  if (random.chance(0.2)) session.host.storage.failNext = 'before';
  if (random.chance(0.3)) {
    comeBack(simulation, session);
    return;
  }
  actNow(
    simulation,
    session,
    record,
    random.pick([generateAnswer, generateAnswer, generateCancel, generateExtend]),
  );
}

function comeBack({ subscribers, random }: Simulation, session: SessionHost): void {
  const away = subscribers.filter(
    (subscriber) => subscriber.session === session && subscriber.canConnect,
  );
  random.pick(away)?.connect();
}
