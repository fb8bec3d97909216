/**
 * A fifth kind, defined here and known nowhere else. A bug would look like a place in `core/` that
 * asks which kind it is.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reject } from '../../../src/protocol/errors.ts';
import { SessionEventSchema } from '../../../src/protocol/schema/event.ts';
import { Interaction, type OpenCommon } from '../../../src/protocol/schema/interaction.ts';
import { defineKind } from '../../../src/core/kinds/kind.ts';
import { KINDS, indexKinds } from '../../../src/core/kinds/index.ts';
import type { CommandOf } from '../../../src/protocol/schema/command.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { answer, askQuestion, sendMessage } from '../../support/asks.ts';
import { admin } from '../../support/callers.ts';
import { CoreWorld, MINUTE, startedWorld } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

/** How many stars? With a comment, or without. */
const tasting = defineKind({
  name: 'tasting',
  presentation: 'questionnaire',
  request: z.strictObject({ subject: z.string().min(1), stars: z.number().int().default(5) }),
  answer: z.strictObject({ stars: z.number().int().min(1), comment: z.string().default('') }),
  gated: false,
  allowsDefaultAnswer: true,

  problem: (request) => (request.stars > 10 ? 'At most ten stars' : undefined),
  input: (request) => request,
  interpret(_interaction, request, given) {
    if (given.stars > request.stars) {
      return reject('invalid_values', `There are only ${request.stars} stars`);
    }
    const values = { stars: given.stars, words: given.comment.split(' ').length };
    return { ok: true, type: 'settle', action: 'submit', outcome: 'answered', values };
  },
  takesText: () => true,
  fromText: (_interaction, text) =>
    /^\*+$/.test(text) ? { stars: text.length, comment: '' } : undefined,
  textHint: 'Write your rating in stars, such as ***',
  expired: () => 'Nobody rated it',
  cancelled: 'Not rated',
  allow: (interaction) => ({ updatedInput: interaction.values ?? {} }),
  denied: () => 'Refused to rate',
});

const WITH_TASTING = { kinds: indexKinds(...KINDS.values(), tasting), timeouts: { tasting: 60 } };

function askTasting(
  common: Partial<OpenCommon> = {},
  request: JsonObject = {},
): CommandOf<'interaction.open'> {
  return {
    type: 'interaction.open',
    common: { toolCallId: 'call-1', toolName: 'rate', kind: 'tasting', ...common },
    request: { subject: 'Lunch', ...request },
  };
}

function askedWorld(common: Partial<OpenCommon> = {}): CoreWorld {
  const world = startedWorld(WITH_TASTING);
  accepted(world.run(askTasting(common)));
  return world;
}

describe('a custom kind', () => {
  it('[INT-3] is unknown where it was not added', () => {
    expect(refused(startedWorld().run(askTasting())).code).toBe('unknown_kind');
  });

  it('[INT-3, PEND-2] is opened, pending and shown like any other', () => {
    const world = startedWorld(WITH_TASTING);
    const decided = world.run(askTasting());
    expect(outcomeOf(decided)).toEqual(['interaction_pending', 'interaction_request']);
    expect(world.record('call-1~1')).toMatchObject({
      kind: 'tasting',
      presentation: 'questionnaire',
      request: { subject: 'Lunch', stars: 5 },
      timeoutMs: 60_000,
    });
  });

  it('[INT-3] checks its own request', () => {
    const world = startedWorld(WITH_TASTING);
    expect(refused(world.run(askTasting({}, { subject: '' }))).code).toBe('invalid_request');
    expect(refused(world.run(askTasting({}, { stars: 11 })))).toMatchObject({
      code: 'invalid_request',
      message: 'At most ten stars',
    });
  });

  it('[INT-3, INT-11] is answered, and the agent receives the answer', () => {
    const world = askedWorld();
    const decided = world.run(answer('call-1~1', { stars: 4, comment: 'Too salty' }));
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      kind: 'tasting',
      action: 'submit',
      outcome: 'answered',
      values: { stars: 4, words: 2 },
    });
    expect(world.agentReply('call-1~1')).toEqual({
      behavior: 'allow',
      updatedInput: { stars: 4, words: 2 },
    });
  });

  it('[INT-3, INT-7] refuses an invalid answer, or an answer of another kind', () => {
    const world = askedWorld();
    expect(refused(world.run(answer('call-1~1', { stars: 0 }))).code).toBe('invalid_answer');
    expect(refused(world.run(answer('call-1~1', { stars: 6 }))).code).toBe('invalid_values');
    expect(refused(world.run(answer('call-1~1', { decision: 'approve' }))).code).toBe('wrong_kind');
    world.run(askQuestion({ toolCallId: 'call-2' }));
    expect(refused(world.run(answer('call-2~1', { stars: 3 }))).code).toBe('wrong_kind');
  });

  it('[INT-3, TXT-2] is answered by text that it understands', () => {
    const world = askedWorld();
    const decided = accepted(world.run(sendMessage('***')));
    expect(decided.reply).toMatchObject({ type: 'answered-by-text', interactionId: 'call-1~1' });
    expect(world.record('call-1~1')).toMatchObject({ values: { stars: 3 } });
  });

  it('[INT-3, TXT-2, TXT-3] names the text it understands, and counts among the candidates for text', () => {
    const world = askedWorld();
    expect(refused(world.run(sendMessage('good')))).toMatchObject({
      code: 'text_not_an_answer',
      message: 'Write your rating in stars, such as ***',
    });
    world.run(askQuestion({ toolCallId: 'call-2' }));
    expect(refused(world.run(sendMessage('***'))).code).toBe('ambiguous_text');
    accepted(world.run(sendMessage('***', 'call-1~1')));
  });

  it('[INT-3, TIME-2] expires after its own time, with its own message', () => {
    const world = askedWorld();
    world.advance(MINUTE);
    expect(world.record('call-1~1').outcome).toBe('expired');
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message: 'Nobody rated it' });
  });

  it('[INT-3, TIME-6] can be answered by time, with the defaults of its schema', () => {
    const world = askedWorld({ onExpire: { answer: { stars: 3 } } });
    world.advance(MINUTE);
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'answered',
      values: { stars: 3, words: 1 },
      defaulted: true,
    });
  });

  it('[INT-3, TIME-6] is never answered by time if the kind forbids it', () => {
    const world = startedWorld({ kinds: indexKinds({ ...tasting, allowsDefaultAnswer: false }) });
    const decided = world.run(askTasting({ onExpire: { answer: { stars: 3 } } }));
    expect(refused(decided).code).toBe('invalid_request');
  });

  it('[INT-3, TIME-1] takes its deadline from the settings by its name', () => {
    const world = new CoreWorld({ ...WITH_TASTING, timeouts: { tasting: 7 } });
    world.run({ type: 'session.create' });
    world.run(askTasting());
    expect(world.record('call-1~1').timeoutMs).toBe(7_000);
  });

  it('[INT-3, CAN-3] is cancelled, replaced and asked again like any other', () => {
    const world = askedWorld();
    expect(outcomeOf(world.run(askTasting()))).toEqual([]);
    expect(outcomeOf(world.run(askTasting({}, { subject: 'Dinner' })))).toEqual([
      'interaction_response',
      'interaction_pending',
      'interaction_request',
    ]);
    world.run({ type: 'interactions.cancel' });
    expect(world.agentReply('call-1~2')).toEqual({ behavior: 'deny', message: 'Not rated' });
    world.run(askTasting({ reopen: true }, { subject: 'Dinner' }));
    expect(world.record('call-1~3').status).toBe('open');
  });

  it('[INT-3, GATE-1] is asked in every mode unless it lets itself be gated', () => {
    const gated = indexKinds({ ...tasting, gated: true });
    for (const [kinds, type] of [
      [WITH_TASTING.kinds, 'interaction'],
      [gated, 'gate'],
    ] as const) {
      const world = new CoreWorld({ kinds });
      const permissionMode = 'bypassPermissions';
      world.run({ type: 'session.create', permissionMode }, { caller: admin() });
      expect(accepted(world.run(askTasting())).reply.type).toBe(type);
    }
  });

  it('[INT-3, LOG-1] leaves events and records of the same shape as every kind', () => {
    const world = askedWorld();
    world.run(answer('call-1~1', { stars: 4 }));
    for (const event of world.log) expect(SessionEventSchema.parse(event)).toEqual(event);
    expect(Interaction.parse(world.record('call-1~1'))).toEqual(world.record('call-1~1'));
  });
});
