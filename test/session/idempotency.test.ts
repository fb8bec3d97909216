/**
 * A request sent twice. A bug would look like two interactions for one request, an approval withdrawn by a retry, or a
 * caller that gets the result of another caller's request.
 */
import { describe, expect, it } from 'vitest';
import {
  answer,
  append,
  askApproval,
  askQuestion,
  COLOR,
  sendMessage,
  SIZES,
} from '../support/asks.ts';
import { agent, person } from '../support/callers.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { sessionAfter, SqliteStorage, startedSession } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';
import type { Command } from '../../src/protocol/schema/command.ts';

const KEY = { key: 'key-00001' };

/** One of each sort of result; each is done once in a session with `call-9~1` open. */
const COMMANDS: readonly [string, Command][] = [
  ['an opening', askApproval()],
  ['an opening without a tool call', { ...askQuestion(), common: withoutCall() }],
  ['an answer', answer('call-9~1', { answers: { '0': 'Red', '1': ['S'] } })],
  ['a step', answer('call-9~1', { question: 0, option: 1 })],
  ['more time', { type: 'interaction.extend', interactionId: 'call-9~1' }],
  ['a cancel', { type: 'interaction.cancel', interactionId: 'call-9~1' }],
  ['a cancel of all', { type: 'interactions.cancel' }],
  ['a text that answers', sendMessage('Red')],
  ['a setting', { type: 'session.update', changes: { title: 'Other' } }],
];

function withoutCall() {
  const { toolCallId: _, ...common } = askQuestion().common;
  return common;
}

const asking = () => sessionAfter(askQuestion({ toolCallId: 'call-9' }, [COLOR, SIZES]));

describe.each(COMMANDS)('%s', (_, command) => {
  const caller = command.type === 'interaction.open' ? agent() : person();

  it('[API-2] repeated under its key is done once, and says the same', async () => {
    const world = await asking();
    const first = world.must(command, { ...KEY, caller });
    const log = world.log();
    const second = world.must(command, { ...KEY, caller });
    expect(second).toMatchObject({ replayed: true, reply: first.reply });
    expect(second.body).toEqual(first.body);
    expect(world.log()).toEqual(log);
  });

  it('[API-2] repeated after a restart too', async () => {
    const world = await asking();
    const first = world.must(command, { ...KEY, caller });
    const log = world.log();
    world.restart();
    const second = world.must(command, { ...KEY, caller });
    expect(second).toMatchObject({ replayed: true, reply: first.reply });
    expect(world.log()).toEqual(log);
  });

  it('[API-2] with another body under the same key is refused, and not done', async () => {
    const world = await asking();
    world.must(command, { ...KEY, caller });
    const log = world.log();
    const other = world.handle(command, { ...KEY, caller, body: 'another' });
    expect(other).toMatchObject({ ok: false, code: 'idempotency_key_reused' });
    expect(world.log()).toEqual(log);
  });
});

describe('a key', () => {
  it('[API-2] belongs to its credential', async () => {
    const world = await startedSession();
    world.must(sendMessage('One'), { ...KEY, caller: person('ada') });
    const other = world.must(sendMessage('Two'), { ...KEY, caller: person('bob') });
    expect(other.replayed).toBe(false);
    const said = world.log().flatMap((event) => (event.type === 'user_message' ? [event] : []));
    expect(said.map((event) => event.payload)).toMatchObject([
      { text: 'One', subject: 'ada' },
      { text: 'Two', subject: 'bob' },
    ]);
  });

  it('[API-2] belongs to its command', async () => {
    const world = await sessionAfter(askApproval());
    world.must(sendMessage('One'), { ...KEY, caller: person() });
    const answered = world.must(answer('call-1~1', { decision: 'deny' }), KEY);
    expect(answered.replayed).toBe(false);
    expect(world.record('call-1~1').outcome).toBe('denied');
  });

  it('[API-2] of a refused command is not used up', async () => {
    const world = await startedSession();
    const deny = answer('call-1~1', { decision: 'deny' });
    expect(world.handle(deny, KEY)).toMatchObject({ code: 'not_found' });
    world.must(askApproval());
    expect(world.must(deny, KEY)).toMatchObject({ replayed: false });
    expect(world.handle(deny, { key: 'key-00002' })).toMatchObject({ code: 'already_settled' });
    expect(world.must(deny, KEY)).toMatchObject({ replayed: true });
  });

  it('[API-2] is forgotten after a day', async () => {
    const world = await startedSession();
    world.must(sendMessage('Hello'), KEY);
    world.now += LIMITS.idempotencyMs - 1;
    expect(world.must(sendMessage('Hello'), KEY).replayed).toBe(true);
    world.now += 1;
    expect(world.must(sendMessage('Hello'), KEY).replayed).toBe(false);
  });
});

describe('an opening repeated', () => {
  it('[API-2] gives the interaction as it is now: answered', async () => {
    const world = await startedSession();
    const first = world.must(askApproval(), KEY);
    expect(first).toMatchObject({ reply: { created: true } });
    expect(first.body).toMatchObject({ interaction: { status: 'open' } });
    world.must(answer('call-1~1', { decision: 'deny', reason: 'No' }));
    world.restart();
    const again = world.must(askApproval(), KEY);
    expect(again.body).toMatchObject({
      interaction: {
        outcome: 'denied',
        reply: { behavior: 'deny', message: 'User denied tool execution. Reason: No' },
      },
    });
  });

  it('[API-2, TIME-2] gives the interaction as it is now: expired, although no command has ended it yet', async () => {
    const world = await startedSession();
    world.must(askApproval({ timeoutSeconds: 5 }), KEY);
    world.now += 5_000;
    const again = world.must(askApproval({ timeoutSeconds: 5 }), KEY);
    expect(again.body).toMatchObject({ interaction: { outcome: 'expired' } });
  });

  it('[API-2, INT-14] gives the one that it opened, although another has replaced it', async () => {
    const world = await startedSession();
    world.must(askQuestion({}, [COLOR]), KEY);
    world.must(askQuestion({}, [SIZES]), { key: 'key-00002' });
    world.restart();
    expect(world.must(askQuestion({}, [COLOR]), KEY).body).toMatchObject({
      interaction: { interactionId: 'call-1~1', outcome: 'superseded', replacedBy: 'call-1~2' },
    });
    expect(world.record('call-1~2').status).toBe('open');
  });

  it('[API-2, GATE-4] gives the verdict of the gate again, without a second event', async () => {
    const world = await sessionAfter({
      type: 'session.update',
      changes: { permissionMode: 'acceptEdits' },
    });
    const read = askApproval({ toolName: 'Read' });
    const first = world.must(read, KEY);
    expect(first.body).toMatchObject({ decision: { behavior: 'allow' } });
    const log = world.log();
    world.restart();
    expect(world.must(read, KEY)).toMatchObject({ replayed: true, body: first.body });
    expect(world.log()).toEqual(log);
  });
});

describe('a session created twice', () => {
  it('[API-2, LOG-9] is the same one under its key, and refused under another', async () => {
    const world = new SessionWorld(new SqliteStorage());
    const create = { type: 'session.create', title: 'Mine' } as const;
    const first = await world.ask(create, KEY);
    world.restart();
    const again = await world.ask(create, KEY);
    expect(again).toMatchObject({ ok: true, replayed: true });
    expect(again).toMatchObject({ body: first.ok ? first.body : undefined });
    expect(await world.ask(create, { key: 'key-00002' })).toMatchObject({ code: 'session_exists' });
    expect(world.log()).toHaveLength(1);
  });
});

describe('a command that changes nothing', () => {
  const CANCEL_ALL: Command = { type: 'interactions.cancel' };

  it('[API-2] repeated under its key, cancels no later interaction', async () => {
    const world = await startedSession();
    const nothing = { reply: { type: 'cancelled', count: 0 } };
    expect(world.must(CANCEL_ALL, KEY)).toMatchObject({ ...nothing, replayed: false });
    world.must(askApproval());
    expect(world.must(CANCEL_ALL, KEY)).toMatchObject({ ...nothing, replayed: true });
    world.restart();
    expect(world.must(CANCEL_ALL, KEY)).toMatchObject({ ...nothing, replayed: true });
    expect(world.state?.open.size).toBe(1);
  });

  it('[API-2, LOG-8] that cannot be stored is refused, and done when it comes again', async () => {
    const world = await startedSession();
    world.storage.damage('meta');
    expect(world.handle(CANCEL_ALL, KEY)).toMatchObject({ ok: false, code: 'write_failed' });
    world.storage.repair();
    world.must(askApproval());
    expect(world.must(CANCEL_ALL, KEY)).toMatchObject({ reply: { count: 1 }, replayed: false });
  });
});

it('[API-2] a repeated append says the head of the first time', async () => {
  const world = await asking();
  const text = (of: string) => append({ type: 'assistant_text', payload: { text: of } });
  const first = world.must(text('one'), { ...KEY, caller: agent() });
  world.must(text('two'), { caller: agent() });
  const repeated = world.must(text('one'), { ...KEY, caller: agent() });
  expect([repeated.replayed, repeated.body]).toEqual([true, first.body]);
});
