/** Closing ends everything at once. A bug here looks like a process that never exits. */
import { describe, expect, it } from 'vitest';
import { InProcessHost } from '../../src/in-process/index.ts';
import { settle } from './support/settle.ts';
import { HandClock } from './support/hand-clock.ts';
import { ask, refusal } from './support/questions.ts';

async function openHost() {
  const clock = new HandClock();
  const host = new InProcessHost({ clock });
  const holdpoint = host.transport();
  const { id } = await holdpoint.createSession();
  await ask(holdpoint, id);
  return { host, clock, holdpoint, id };
}

describe('closing a host', () => {
  it('[TRN-1] ends waits, streams and subscriptions, and refuses further calls', async () => {
    const { host, holdpoint, id } = await openHost();
    const waiting = refusal(holdpoint.interaction(id, 'call-1~1', { waitSeconds: 600 }));
    const stream = holdpoint.sendMessage(id, 'Go on')[Symbol.asyncIterator]();
    const next = refusal(stream.next());
    const subscription = holdpoint.subscribe(id, {});
    await settle();
    host.close();
    expect(subscription.status).toEqual({ type: 'closed' });
    expect(await waiting).toMatchObject({ code: 'closed', origin: 'client' });
    expect(await next).toMatchObject({ code: 'closed' });
    expect(await refusal(holdpoint.snapshot(id))).toMatchObject({ code: 'closed' });
    expect(() => holdpoint.subscribe(id, {})).toThrow(/closed/);
    expect(() => host.transport({ subject: 'x', scopes: ['read'] })).toThrow(/closed/);
    host.close();
  });

  it('[TRN-1] ends every transport when the owner closes the host', async () => {
    const { host, id } = await openHost();
    const agent = host.transport({ subject: 'bot', scopes: ['agent', 'read'] });
    const waiting = refusal(agent.interaction(id, 'call-1~1', { waitSeconds: 600 }));
    const subscription = agent.subscribe(id, {});
    await settle();
    host.close();
    await settle();
    expect(subscription.status).toEqual({ type: 'closed' });
    expect(await waiting).toMatchObject({ code: 'closed' });
    expect(await refusal(agent.snapshot(id))).toMatchObject({ code: 'closed' });
  });

  it('[TRN-1] ends one transport alone when a role closes its transport', async () => {
    const { host, holdpoint, id } = await openHost();
    const agent = host.transport({ subject: 'bot', scopes: ['agent', 'read'] });
    const subscription = holdpoint.subscribe(id, {});
    agent.close();
    await settle();
    expect(await refusal(agent.snapshot(id))).toMatchObject({ code: 'closed' });
    expect(subscription.status).toEqual({ type: 'live' });
    expect((await holdpoint.snapshot(id)).open).toHaveLength(1);
    host.close();
  });

  it('[TRN-1] leaves no timer and no listener behind', async () => {
    const { host, clock, holdpoint, id } = await openHost();
    const stop = new AbortController();
    const how = { waitSeconds: 600, signal: stop.signal };
    const waiting = refusal(holdpoint.interaction(id, 'call-1~1', how));
    await expect
      .poll(() => holdpoint.snapshot(id))
      .toMatchObject({ open: [{ agentWaiting: true }] });
    stop.abort();
    expect(await waiting).toMatchObject({ code: 'aborted', origin: 'client' });
    expect((await holdpoint.snapshot(id)).open[0]).toMatchObject({ agentWaiting: false });
    host.close();
    await clock.pass(1_000);
    expect(clock.waiting).toBe(0);
  });
});
