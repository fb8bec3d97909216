/** The answer link in what a target sends. A bug here looks like a link in another name, or one that answers nothing. */
import { expect, it } from 'vitest';
import type { AnswerLink } from '../../src/core/answer-links/answer-link.ts';
import type { TargetConfig } from '../../src/delivery/ports.ts';
import { makeTargetLink } from '../../src/delivery/target-link.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { CONFIG, requested, TargetWorld } from '../support/target-world.ts';

const NOW = 1_700_000_000_000;

function made(config: Partial<TargetConfig>, kind = 'approval') {
  const written: AnswerLink[] = [];
  const { announcement } = requested('demo', 1);
  if (announcement.type !== 'interaction.requested') throw new Error('No request');
  const writeAnswerLink = (link: AnswerLink) => {
    written.push(link);
    return 'hpl_token';
  };
  const ports = { writeAnswerLink, now: () => NOW };
  const asked = { sessionId: 'demo', requested: { ...announcement, kind } };
  return { link: makeTargetLink(ports, { ...CONFIG, ...config }, asked), written };
}

it('[LINK-1] counts as the target, in the name of its audience, and gives no rule', () => {
  const maker = { credential: 'tok_1', key: 'key_1', root: 'tok_1' };
  const { link, written } = made({ maker });
  expect(link).toEqual({
    url: 'https://holdpoint.example/links/hpl_token',
    expiresAt: NOW + LIMITS.targetLinkMs,
  });
  expect(written).toEqual([
    {
      workspace: 'main',
      sessionId: 'demo',
      interactionId: 'call_1~1',
      inputDigest: 'd'.repeat(64),
      subject: 'Ops',
      answers: ['approve', 'deny'],
      expiresAt: NOW + LIMITS.targetLinkMs,
      credential: 'tgt_1',
      key: 'key_1',
      root: 'tok_1',
      chain: [],
      target: 'tgt_1',
    },
  ]);
});

it('[LINK-1] is left out without an audience, without an address, and for a kind without a page', () => {
  expect(made({ audience: undefined }).link).toBeUndefined();
  expect(made({ origin: undefined }).link).toBeUndefined();
  expect(made({}, 'pick_a_color').link).toBeUndefined();
});

it('[LINK-1] is in the request that a webhook sends, and not in its end', async () => {
  const world = new TargetWorld();
  const { sessionId, announcement } = requested('demo', 1);
  const { seq: _seq, ...fields } = announcement;
  const ended = {
    ...fields,
    seq: 2,
    type: 'interaction.resolved',
    outcome: 'approved',
    settledBy: { subject: 'mia', via: 'web' },
  } as unknown as typeof announcement;
  await world.receive(
    { sessionId, source: 'one', announcement },
    { sessionId, source: 'two', announcement: ended },
  );
  const data = world.sent.map(({ content }) => content.data);
  expect(data.map(({ link }) => link)).toEqual([
    { url: 'https://holdpoint.example/links/hpl_call_1~1.Ops', expiresAt: expect.any(Number) },
    undefined,
  ]);
});
