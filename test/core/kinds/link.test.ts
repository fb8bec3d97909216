/**
 * Links. A bug here would look like an address that is not the one a person read, a link that opens into this machine's
 * network by itself, or an agent whose own report counts as a person's consent.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { answer, askApproval, askLink, sendMessage, SIGN_IN } from '../../support/asks.ts';
import { admin, agent, person } from '../../support/callers.ts';
import { type CoreWorld, MINUTE, startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

const COMPLETE = { type: 'interaction.complete', interactionId: 'call-1~1' } as const;
const OPENED = answer('call-1~1', { opened: true });
const DONE = answer('call-1~1', { done: true });

function waitingWorld(): CoreWorld {
  return worldAfter(askLink({}, { awaitCompletion: true }));
}

function stateOf(world: CoreWorld): JsonObject {
  const { status, outcome, linkOpened, linkCompleted } = world.record('call-1~1');
  return {
    status,
    outcome,
    ...(linkOpened && { linkOpened }),
    ...(linkCompleted && { linkCompleted }),
  };
}

describe('the address of a link', () => {
  it.each([
    ['https://Example.com', 'https://example.com/'],
    ['https://example.com:443/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/'],
    ['http://localhost:8080/x', 'http://localhost:8080/x'],
    ['http://127.1:99/', 'http://127.0.0.1:99/'],
    ['http://[::1]/', 'http://[::1]/'],
    ['http://app.localhost/', 'http://app.localhost/'],
  ])('[LNK-1] %s is stored as %s', (url, stored) => {
    const world = worldAfter(askLink({}, { url }));
    expect(world.record('call-1~1').request).toEqual({ ...SIGN_IN, url: stored });
    // The same address again is the same request.
    accepted(world.run(askLink({}, { url: stored })));
    expect(world.live.open.size).toBe(1);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt://example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'http://example.com/',
    'http://10.0.0.1/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'ftp://example.com/',
    '//example.com/',
    '/sign-in',
    'example.com',
    '',
    'https://',
    'https:example.com',
    'https:/example.com',
    'https:\\\\example.com\\',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://@example.com/',
    'https://google.com@evil.example/',
    'https://google.com%40evil.example/@',
    'https://example.com/a b',
    ' https://example.com/',
    'https://exa\nmple.com/',
    'https://example.com/\u202Egnp.exe',
    'https://exam\u200Bple.com/',
    'https://\u0000example.com/',
    'https://exa[mple.com/',
    `https://${'a'.repeat(301)}.com/`,
    `https://example.com/${'a'.repeat(4_096)}`,
    `https://example.com/${'ü'.repeat(2_000)}`,
  ])('[LNK-1] %j is refused', (url) => {
    const world = startedWorld();
    expect(refused(world.run(askLink({}, { url }))).code).toBe('invalid_request');
    expect(world.live.open.size).toBe(0);
  });

  it.each([
    ['no message', { message: ' ' }],
    ['an unknown field', { open: true }],
    ['an answer for the deadline', {}],
  ])('[LNK-1, LNK-2] a link with %s is refused', (what, more) => {
    const forDeadline = { timeoutSeconds: 60, onExpire: { answer: { opened: true } } };
    const common = what === 'an answer for the deadline' ? forDeadline : {};
    expect(refused(startedWorld().run(askLink(common, more))).code).toBe('invalid_request');
  });
});

describe('opening a link', () => {
  it.each([{ opened: true }, { done: true }])('[LNK-2] %j settles it at once', (given) => {
    const world = worldAfter(askLink());
    const decided = world.run(answer('call-1~1', given));
    expect(outcomeOf(decided)).toEqual(['interaction_response', 'interaction_pending']);
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      action: 'submit',
      outcome: 'answered',
    });
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'allow', updatedInput: {} });
    // A repeat of the same person is theirs.
    const again = refused(world.run(answer('call-1~1', given)));
    expect(again).toMatchObject({ code: 'already_settled', details: { yours: true } });
  });

  it.each([{}, { opened: false }, { opened: true, done: true }, { opened: true, url: 'x' }])(
    '[LNK-2] %j is no answer',
    (given) => {
      const world = worldAfter(askLink());
      expect(refused(world.run(answer('call-1~1', given))).code).toBe('invalid_answer');
    },
  );

  it('[LNK-2, INT-15] is declined with a reason, cancelled, and runs out', () => {
    const declined = worldAfter(askLink());
    accepted(declined.run(answer('call-1~1', { decline: true, reason: ' Phishing ' })));
    expect(declined.agentReply('call-1~1')).toEqual({
      behavior: 'deny',
      message: 'User declined to open the link. Reason: Phishing',
    });
    const cancelled = waitingWorld();
    accepted(cancelled.run(OPENED));
    accepted(cancelled.run({ type: 'interactions.cancel' }));
    expect(cancelled.agentReply('call-1~1')).toMatchObject({ message: 'Interaction cancelled' });
    const late = worldAfter(askLink({ timeoutSeconds: 60 }, { awaitCompletion: true }));
    accepted(late.run(OPENED));
    late.advance(2 * MINUTE);
    expect(late.agentReply('call-1~1')).toEqual({ behavior: 'deny', message: 'Timed out' });
  });
});

describe('a link that waits for its completion', () => {
  it('[LNK-2] stays open after it was opened, once, and then the agent completes it', () => {
    const world = waitingWorld();
    expect(outcomeOf(world.run(OPENED))).toEqual(['interaction_update']);
    expect(outcomeOf(world.run(OPENED))).toEqual([]);
    expect(stateOf(world)).toEqual({ status: 'open', outcome: null, linkOpened: true });
    const completed = world.run(COMPLETE, { caller: agent() });
    expect(outcomeOf(completed)).toEqual(['interaction_response', 'interaction_pending']);
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'answered',
      settledBy: { subject: agent().subject },
    });
    expect(outcomeOf(world.run(COMPLETE, { caller: agent() }))).toEqual([]);
  });

  it('[LNK-2] is done when a person says so, also before the agent does', () => {
    const world = waitingWorld();
    accepted(world.run(OPENED));
    accepted(world.run(DONE));
    expect(stateOf(world)).toMatchObject({ outcome: 'answered' });
    expect(outcomeOf(world.run(COMPLETE, { caller: agent() }))).toEqual([]);
  });

  it('[LNK-2] is not answered by its own agent: a completion waits for a person', () => {
    const world = waitingWorld();
    expect(refused(world.run(OPENED, { caller: agent() })).code).toBe('forbidden');
    expect(outcomeOf(world.run(COMPLETE, { caller: agent() }))).toEqual(['interaction_update']);
    expect(outcomeOf(world.run(COMPLETE, { caller: agent() }))).toEqual([]);
    expect(stateOf(world)).toEqual({ status: 'open', outcome: null, linkCompleted: true });
    accepted(world.run(OPENED));
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'answered',
      settledBy: { subject: person().subject },
    });
  });

  it('[LNK-2] is completed by its opener alone', () => {
    const world = waitingWorld();
    accepted(world.run(OPENED));
    const stranger = agent('other');
    expect(refused(world.run(COMPLETE, { caller: stranger })).code).toBe('forbidden');
    expect(refused(world.run(COMPLETE, { caller: person() })).code).toBe('forbidden');
    expect(stateOf(world)).toMatchObject({ status: 'open' });
    accepted(world.run(COMPLETE, { caller: admin() }));
  });

  it.each([
    ['a link that settles when it is opened', askLink()],
    ['another kind', askApproval()],
  ])('[LNK-2] %s has no completion', (_what, asked) => {
    const world = worldAfter(asked);
    expect(refused(world.run(COMPLETE, { caller: agent() })).code).toBe('wrong_kind');
  });

  it('[LNK-2] is not completed after a person declined it', () => {
    const world = waitingWorld();
    accepted(world.run(answer('call-1~1', { decline: true })));
    expect(refused(world.run(COMPLETE, { caller: agent() })).code).toBe('already_settled');
    const missing = { type: 'interaction.complete', interactionId: 'call-9~1' } as const;
    expect(refused(world.run(missing, { caller: agent() })).code).toBe('not_found');
  });
});

describe('text and a link', () => {
  it('[LNK-3, TXT-1] does not meet it unless it is named', () => {
    const world = worldAfter(askLink());
    accepted(world.run(sendMessage('done')));
    expect(stateOf(world)).toMatchObject({ status: 'open' });
  });

  it.each([
    ['Opened', 'answered'],
    [' yes ', 'answered'],
    ['done', 'answered'],
    ['no', 'denied'],
    ['decline', 'denied'],
  ])('[LNK-3] %j as a reply is %s', (text, outcome) => {
    const world = worldAfter(askLink());
    accepted(world.run(sendMessage(text, 'call-1~1')));
    expect(world.record('call-1~1').outcome).toBe(outcome);
  });

  it('[LNK-3] other words are no answer', () => {
    const world = worldAfter(askLink());
    expect(refused(world.run(sendMessage('sure', 'call-1~1'))).code).toBe('text_not_an_answer');
  });
});
