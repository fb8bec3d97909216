/** What clients do: ask, answer, write, cancel, tell, repeat themselves. */
import type { Command } from '../../src/protocol/schema/command.ts';
import { admin, agent, person } from '../support/callers.ts';
import type { InteractionModel } from './interaction-model.ts';
import type { Operation, Wish } from './operation.ts';
import type { SessionHost } from './session-host.ts';
import { hasFrame } from './subscriber.ts';
import {
  answerWish,
  appendWish,
  askWish,
  reportWish,
  sayWish,
  type Sight,
  updateWish,
} from './command-generator.ts';
import type { World } from './world.ts';

type Handler = (world: World) => void;

export const CLIENT_STEPS = {
  ask: (world) =>
    wish(world, (sight, session) =>
      world.random.chance(0.15) ? again(world, session) : askWish(sight),
    ),
  answer: (world) => aboutOne(world, answerWish),
  say: (world) => wish(world, (sight) => sayWish(picked(sight), sight)),
  cancel: (world) => aboutOne(world, cancelWish),
  'cancel all': (world) => wish(world, cancelAllWish),
  extend: (world) => aboutOne(world, extendWish),
  update: (world) => wish(world, updateWish),
  append: (world) => wish(world, appendWish),
  report: (world) => wish(world, reportWish),
  clear: (world) => wish(world, () => plain({ type: 'session.clear' })),
  delete: (world) => wish(world, () => plain({ type: 'session.delete' })),
  create,
  'revoke rule': (world) => wish(world, revokeRuleWish),
  retry,
  'act in the last moment': actInTheLastMoment,
} as const satisfies Record<string, Handler>;

/** Somebody wants something of a session, mostly with a key and sometimes by socket. */
function wish(world: World, make: (sight: Sight, session: SessionHost) => Wish | undefined): void {
  const session = pickSession(world);
  const made = make(sightOf(world, session), session);
  if (made !== undefined) begin(world, session, made);
}

function sightOf({ operations, random }: World, { model }: SessionHost): Sight {
  return { model, mark: operations.nextMark, random, id: operations.all.length };
}

/** Answers without delay, and with a key to ask again by. */
export function answerNow(world: World, session: SessionHost, record: InteractionModel): void {
  actNow(world, session, record, answerWish);
}

function actNow(world: World, session: SessionHost, record: InteractionModel, make: About): void {
  const sight = sightOf(world, session);
  world.operations.begin(session, make(record, sight), {
    key: `key-${sight.id}-padded`,
    by: undefined,
    isNear: true,
  });
}

function begin(world: World, session: SessionHost, made: Wish): void {
  const { random, operations, subscribers } = world;
  const sockets = subscribers.filter(
    (one) =>
      one.session === session &&
      one.connection !== null &&
      one.caller.credential === made.caller.credential,
  );
  const by = hasFrame(made.command) && random.chance(0.5) ? random.pick(sockets) : undefined;
  const key = random.chance(0.85) ? `key-${operations.all.length}-padded` : undefined;
  operations.begin(session, made, { key, by, isNear: random.chance(0.05) });
}

/** Of those that live, the first ones most; sometimes one that was deleted. */
export function pickSession({ sessions, random }: World): SessionHost {
  const living = sessions.filter((one) => one.model.deletedAt === null);
  const pool = living.length === 0 || random.chance(0.05) ? sessions : living;
  const found = random.chance(0.5) ? pool[0] : random.pick(pool);
  if (found === undefined) throw new Error('A run begins with sessions');
  return found;
}

/** Something open most of the time, something settled sometimes, and now and then nothing. */
export function picked({ model, random }: Pick<Sight, 'model' | 'random'>) {
  const all = [...model.interactions.values()];
  const { open } = model;
  const pool: InteractionModel[] = open.length > 0 && random.chance(0.85) ? open : all.slice(-8);
  return random.chance(0.02) ? undefined : random.pick(pool);
}

function plain(command: Command): Wish {
  return { caller: admin(), command, isUnmarked: true };
}

/** Word for word what was asked before, as by somebody who knows nothing of it. */
function again({ operations, random }: World, session: SessionHost): Wish | undefined {
  const asked = operations.all.filter(
    (one) => one.session === session && one.command.type === 'interaction.open',
  );
  const before = random.pick(asked.slice(-6));
  if (before === undefined) return undefined;
  before.isAskedAgain = true;
  return { caller: before.caller, command: before.command, isUnmarked: true };
}

type About = (record: InteractionModel | undefined, sight: Sight) => Wish;

/** Sometimes two want the same at once; when there is nothing to speak of, mostly nobody does. */
function aboutOne(world: World, make: About): void {
  const { random } = world;
  const session = pickSession(world);
  const record = picked({ model: session.model, random });
  if (record === undefined && random.chance(0.9)) return;
  for (let left = random.chance(0.2) ? 2 : 1; left > 0; left -= 1) {
    begin(world, session, make(record, sightOf(world, session)));
  }
}

function cancelWish(record: InteractionModel | undefined, sight: Sight): Wish {
  const isAgents = record?.asked.openedBy.subject === 'agent' && sight.random.chance(0.5);
  const interactionId = record?.id ?? 'call-0~9';
  return {
    caller: isAgents ? agent() : person(),
    command: { type: 'interaction.cancel', interactionId, reason: `because ${sight.mark}` },
  };
}

function cancelAllWish({ mark, random }: Sight): Wish {
  if (random.chance(0.3)) return plain({ type: 'turn.interrupt' });
  return { caller: person(), command: { type: 'interactions.cancel', reason: `because ${mark}` } };
}

function extendWish(record: InteractionModel | undefined): Wish {
  const interactionId = record?.id ?? 'call-0~9';
  const command = { type: 'interaction.extend', interactionId } as const;
  return { caller: person(), command, isUnmarked: true };
}

function revokeRuleWish({ model, random }: Sight): Wish {
  const ruleId = random.pick([...model.rules]) ?? 'none';
  return plain({ type: 'rule.revoke', ruleId });
}

/** A session that is new, or one that somebody thinks is. */
function create(world: World): void {
  const { random, operations, sessions } = world;
  const isNew = sessions.length < 3 || (random.chance(0.4) && sessions.length < 6);
  const session = isNew ? world.addSession() : pickSession(world);
  const title = `Title ${operations.nextMark}`;
  begin(world, session, { caller: agent(), command: { type: 'session.create', title } });
}

/** Whoever does not know what became of a command repeats it; sometimes also who does. */
function retry(world: World): void {
  const { random, operations } = world;
  const recent = operations.all.slice(-40).filter((one) => operations.mayRepeat(one));
  const inDoubt = recent.filter((one) => one.state === 'in doubt');
  const pool: Operation[] = inDoubt.length > 0 && random.chance(0.8) ? inDoubt : recent;
  const operation = random.pick(pool);
  if (operation === undefined || operation.by?.connection === null) return;
  operations.send(operation);
}

/**
 * At the very deadline of something, or one millisecond before, and heard without delay. Sometimes
 * the disk is full just then, and what is over cannot be written down as over.
 */
function actInTheLastMoment(world: World): void {
  const { random } = world;
  const session = pickSession(world);
  const waiting = session.model.open.filter((one) => (one.deadline ?? 0) > world.now);
  const record = random.pick(waiting);
  if (record === undefined) return;
  world.now = (record.deadline ?? 0) - random.pick([0, 0, 1]);
  if (random.chance(0.2)) session.host.storage.failNext = 'before';
  if (random.chance(0.3)) {
    comeBack(world, session);
    return;
  }
  actNow(world, session, record, random.pick([answerWish, answerWish, cancelWish, extendWish]));
}

function comeBack({ subscribers, random }: World, session: SessionHost): void {
  const away = subscribers.filter((one) => one.session === session && one.canConnect);
  random.pick(away)?.connect();
}
