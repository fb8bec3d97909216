/**
 * What subscribers are sent of agents. A bug would look like a page that asks the session again and again whether its agent still
 * waits, or one that calls an agent offline between two of its polls.
 */
import { describe, expect, it } from 'vitest';
import { answer, askApproval } from '../support/asks.ts';
import { agent, person } from '../support/callers.ts';
import { MINUTE, SECOND } from '../support/core-world.ts';
import type { FakeSocket } from '../support/fake-socket.ts';
import type { AgentState } from '../../src/protocol/schema/frame.ts';
import { readInteraction } from '../../src/session/queries.ts';
import { sessionAfter, startedSession } from '../support/session-storage.ts';

const ID = 'call-1~1';
const APPROVE = answer(ID, { decision: 'approve' });
const told = (socket: FakeSocket) =>
  socket.frames
    .filter(({ type }) => type === 'agents')
    .flatMap((frame) => (frame as unknown as { interactions: AgentState[] }).interactions);
const WAITS = { interactionId: ID, agentWaiting: true };
const LEFT = { interactionId: ID, agentWaiting: false };

describe('[PRES-6] the subscribers of a session', () => {
  it('are sent that an agent begins and ceases to wait, over a socket and a stream', async () => {
    const world = await sessionAfter(askApproval());
    const watching = [
      world.connect({ caller: person('ada') }),
      world.connect({ caller: person('ben'), held: true }),
    ];
    const first = world.waitFor(ID);
    const second = world.waitFor(ID);
    for (const one of watching) expect(told(one)).toEqual([WAITS]);
    world.drop(first);
    await world.quiet();
    for (const one of watching) expect(told(one)).toEqual([WAITS]);
    world.drop(second);
    await world.quiet();
    for (const one of watching) expect(told(one)).toEqual([WAITS, LEFT]);
  });

  it('are sent nothing between two polls, and nothing while nothing changes', async () => {
    const world = await sessionAfter(askApproval({ timeoutSeconds: null }));
    const ada = world.connect({ caller: person('ada') });
    const poll = () => world.waitFor(ID, { until: world.now + 120 * MINUTE });
    let waiting = poll();
    for (let polls = 0; polls < 20; polls += 1) {
      await world.pass(55 * SECOND);
      world.drop(waiting);
      waiting = poll();
      await world.quiet();
    }
    expect(told(ada)).toEqual([WAITS]);
    world.trace.length = 0;
    await world.pass(60 * MINUTE);
    expect(world.trace).toEqual([]);
    expect(waiting.closed).toBeNull();
  });

  it('have the present state in their welcome, and know the change after the session left memory', async () => {
    const world = await sessionAfter(askApproval({ timeoutSeconds: null }));
    const waiter = world.waitFor(ID, { until: world.now + 60 * MINUTE });
    const ada = world.connect({ caller: person('ada') });
    expect(ada.frames[0]).toMatchObject({ type: 'welcome', open: [{ agentWaiting: true }] });
    await world.quiet();
    world.evict();
    world.drop(waiter);
    await world.quiet();
    expect(told(ada)).toEqual([LEFT]);
    const ben = world.connect({ caller: person('ben') });
    expect(ben.frames[0]).toMatchObject({ type: 'welcome', open: [{ agentWaiting: false }] });
    expect(told(ben)).toEqual([]);
  });

  it('are sent that a request opens on the connection of its agent', async () => {
    const world = await startedSession();
    const ada = world.connect({ caller: person('ada') });
    const connected = world.connect({ caller: agent() });
    world.must(askApproval());
    expect(told(ada)).toEqual([WAITS]);
    expect(told(connected)).toEqual([WAITS]);
  });

  it('are sent when an agent has the outcome: at once if it waits, else when it reads it', async () => {
    const waited = await sessionAfter(askApproval());
    waited.waitFor(ID);
    const ada = waited.connect({ caller: person('ada') });
    waited.must(APPROVE);
    expect(told(ada)).toEqual([{ interactionId: ID, deliveredAt: waited.now }]);

    const read = await sessionAfter(askApproval());
    const ben = read.connect({ caller: person('ben') });
    read.must(APPROVE);
    expect(told(ben)).toEqual([]);
    expect(readInteraction(read.session, ID, agent()).ok).toBe(true);
    expect(told(ben)).toEqual([{ interactionId: ID, deliveredAt: read.now }]);
  });
});
