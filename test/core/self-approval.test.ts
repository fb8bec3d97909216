/**
 * Who asked does not answer.
 *
 * A bug here is an agent that approves its own command: with the key it asked with, with a token it made for itself, or
 * by a way of answering that forgot to look.
 */
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../src/protocol/schema/actor.ts';
import type { Caller } from '../../src/protocol/caller.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import { AGENT_CALLER } from '../../src/agent/run/gate-tool-call.ts';
import {
  answer,
  answerCall,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  sendMessage,
} from '../support/asks.ts';
import { accepted, refused } from '../support/outcome.ts';
import { type CoreWorld, startedWorld } from '../support/core-world.ts';

const BOTH: readonly Scope[] = ['agent', 'answer', 'send', 'read'];

function credential(id: string, line: { key: string; root?: string }, scopes = BOTH): Caller {
  return { credential: id, subject: id, via: 'api', scopes, root: id, ...line };
}

const KEY = credential('key_1', { key: 'key_1' });
const CHILD = credential('tok_1', { key: 'key_1', root: 'key_1' });
const SIBLING = credential('tok_2', { key: 'key_1', root: 'key_1' });
const OTHER_KEY = credential('key_2', { key: 'key_2' });
/** Both minted by the administrator's key, which is no common root. */
const PERSON = credential('tok_3', { key: 'admin' }, ['read', 'answer', 'send']);
const AGENT_TOKEN = credential('tok_4', { key: 'admin' });
const ADMIN: Caller = { ...credential('admin', { key: 'admin' }), scopes: ['admin'] };
const ADMIN_AND_AGENT: Caller = {
  ...credential('key_3', { key: 'key_3' }),
  scopes: ['admin', 'agent'],
};

const APPROVE = answer('call-1~1', { decision: 'approve' });

function asked(by: Caller, how: { forbidSelfApproval?: boolean } = {}): CoreWorld {
  const world = startedWorld(how);
  accepted(world.run(askApproval({ timeoutSeconds: 60 }), { caller: by }));
  return world;
}

describe('[AUTH-8] who asked', () => {
  it.each<[string, Caller, Caller]>([
    ['the credential itself', KEY, KEY],
    ['a token made with it', KEY, CHILD],
    ['the key that the asking token was made with', CHILD, KEY],
    ['another token of the same key', CHILD, SIBLING],
    ['an administrator’s token with both scopes', AGENT_TOKEN, AGENT_TOKEN],
  ])('may not answer: %s', (_who, opener, answerer) => {
    const world = asked(opener);
    const before = world.state;
    const refusal = refused(world.run(APPROVE, { caller: answerer }));
    expect(refusal).toMatchObject({
      code: 'forbidden',
      details: { setting: 'forbidSelfApproval' },
    });
    expect(refusal.message).toContain('forbidSelfApproval');
    expect(world.state).toBe(before);
  });

  it.each<[string, Caller, Caller]>([
    ['another key', KEY, OTHER_KEY],
    ['a person, of whom the administrator’s key made the token', KEY, PERSON],
    ['a person, where that key made both tokens', AGENT_TOKEN, PERSON],
    ['a person, where the administrator asked', ADMIN, PERSON],
    ['the administrator, also what the administrator asked', ADMIN, ADMIN],
    ['a key with admin, also what it asked itself', ADMIN_AND_AGENT, ADMIN_AND_AGENT],
    ['whoever may answer, what the built-in agent asked', AGENT_CALLER, KEY],
  ])('is not meant: %s', (_who, opener, answerer) => {
    accepted(asked(opener).run(APPROVE, { caller: answerer }));
  });

  const asks = {
    approval: askApproval({}, { offers: ['once', 'session'] }),
    question: askQuestion(),
    plan: askPlan(),
    form: askForm(),
  };
  const ways: [string, Command, Command][] = [
    ['deny', asks.approval, answer('call-1~1', { decision: 'deny' })],
    ['approve by tool call', asks.approval, answerCall('call-1', { decision: 'approve' })],
    [
      'approve for the session',
      asks.approval,
      answer('call-1~1', { decision: 'approve', offer: 'session', everyCommand: true }),
    ],
    ['yes in the chat', asks.approval, sendMessage('yes', 'call-1~1')],
    ['answers', asks.question, answer('call-1~1', { answers: { '0': 'Red' } })],
    ['a step', asks.question, answer('call-1~1', { question: 0, option: 0 })],
    ['text', asks.question, sendMessage('Red')],
    ['a decline', asks.question, answer('call-1~1', { decline: true })],
    ['a plan', asks.plan, answer('call-1~1', { decision: 'edit' })],
    ['adjust', asks.plan, answer('call-1~1', { decision: 'adjust' })],
    ['feedback as text', asks.plan, sendMessage('Shorter')],
    ['a form', asks.form, answer('call-1~1', { values: { host: 'a' } })],
  ];
  it.each(ways)('may not by any way: %s', (_way, ask, command) => {
    const world = startedWorld();
    accepted(world.run(ask, { caller: KEY }));
    const head = world.live.head;
    expect(refused(world.run(command, { caller: CHILD })).code).toBe('forbidden');
    expect(world.live.head).toBe(head);
    accepted(world.run(command, { caller: OTHER_KEY }));
  });

  it('may still extend and cancel its own question', () => {
    const world = asked(KEY);
    accepted(world.run({ type: 'interaction.extend', interactionId: 'call-1~1' }, { caller: KEY }));
    accepted(world.run({ type: 'interaction.cancel', interactionId: 'call-1~1' }, { caller: KEY }));
  });

  it('receives the first answer, once a person has answered', () => {
    const world = asked(KEY);
    accepted(world.run(APPROVE, { caller: PERSON }));
    expect(refused(world.run(APPROVE, { caller: KEY })).code).toBe('already_settled');
  });

  it('may, where the setting is off', () => {
    accepted(asked(KEY, { forbidSelfApproval: false }).run(APPROVE, { caller: KEY }));
  });

  it('is recognized in a record without a root: the credential itself, and its tokens', () => {
    const { root: _root, key: _key, ...old } = KEY;
    for (const answerer of [KEY, CHILD]) {
      expect(refused(asked(old).run(APPROVE, { caller: answerer })).code).toBe('forbidden');
    }
    accepted(asked(old).run(APPROVE, { caller: OTHER_KEY }));
  });
});

describe('[INT-1] the opener and the settler', () => {
  it('are in the record with credential and key', () => {
    const world = asked(CHILD);
    accepted(world.run(APPROVE, { caller: { ...PERSON, subject: 'mia', via: 'web' } }));
    expect(world.record('call-1~1')).toMatchObject({
      openedBy: { credential: 'tok_1', subject: 'tok_1', key: 'key_1', root: 'key_1' },
      settledBy: { subject: 'mia', via: 'web', credential: 'tok_3', key: 'admin' },
    });
  });

  it('names the credential of a text, of a cancel, of more time and of a mode', () => {
    const world = startedWorld();
    accepted(world.run(askQuestion({ timeoutSeconds: 60 }), { caller: KEY }));
    accepted(
      world.run({ type: 'interaction.extend', interactionId: 'call-1~1' }, { caller: PERSON }),
    );
    accepted(world.run(sendMessage('Red'), { caller: PERSON }));
    accepted(world.run({ type: 'session.update', changes: { title: 'New' } }, { caller: PERSON }));
    accepted(world.run({ type: 'session.clear' }, { caller: PERSON }));
    const by = { subject: 'tok_3', credential: 'tok_3', key: 'admin' };
    const said = JSON.parse(JSON.stringify(world.log)) as { type: string; payload: object }[];
    const of = (type: string) => said.find((event) => event.type === type)?.payload;
    expect(of('interaction_update')).toMatchObject({ by: { ...by, via: 'api' } });
    expect(of('interaction_response')).toMatchObject({ settledBy: { ...by, via: 'text' } });
    expect(of('session_updated')).toMatchObject({ by: { ...by, via: 'api' } });
    expect(of('context_cleared')).toMatchObject({ by: { ...by, via: 'api' } });
  });

  it('names no credential for a settlement by time', () => {
    const world = asked(KEY);
    world.advance(60_000);
    expect(world.record('call-1~1').settledBy).toEqual({ subject: 'system', via: 'timeout' });
  });
});
