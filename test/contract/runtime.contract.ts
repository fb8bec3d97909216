/**
 * What every way of running Holdpoint must do, in one short list: plain workerd, `wrangler dev`, and the host in this
 * process. The longer suites run on one of them; a way that is broken alone fails here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Transport } from '../../src/client/transport.ts';
import type { EventOf } from '../../src/protocol/schema/event.ts';
import { type Heard, listen, logOf } from './transport/listening.ts';
import { approval, begin, opened } from './transport/questions.ts';

interface Runtime {
  /** A transport to what runs now, which may do everything. */
  connect(): Transport;
  /** Ends what is in memory and closes every connection; what is stored stays. */
  restart(sessionId: string): Promise<void>;
  end(): Promise<void>;
}

interface RuntimeFixture {
  readonly name: string;
  start(): Promise<Runtime>;
}

export function runtimeContract(fixture: RuntimeFixture): void {
  describe(`Holdpoint ${fixture.name}`, () => {
    let runtime: Runtime | undefined;
    const transports: Transport[] = [];
    const running = () => {
      if (runtime === undefined) throw new Error('The runtime was not started');
      return runtime;
    };
    const connect = (): Transport => {
      const transport = running().connect();
      transports.push(transport);
      return transport;
    };
    beforeAll(async () => {
      runtime = await fixture.start();
    });
    afterAll(async () => {
      for (const transport of transports) transport.close();
      await runtime?.end();
    });

    it('[OPS-9, INT-8, WS-1] opens a session, shows an approval on a socket, and hands its answer to the agent', async () => {
      const [agent, person] = [connect(), connect()];
      const id = await begin(agent);
      const screen = await watch(person, id);
      const { interactionId } = await opened(agent, id, approval());
      const outcome = agent.interaction(id, interactionId, { waitSeconds: 30 });
      await screen.until(({ events }) => events.some(({ type }) => type === 'interaction_request'));
      const first = await person.answer(id, interactionId, { decision: 'approve' });
      expect(first).toMatchObject({ isMine: true });
      expect(await outcome).toMatchObject({ status: 'settled', outcome: 'approved' });
      await screen.until(hasOutcome('approved'));
      const second = await person.answer(id, interactionId, { decision: 'deny' });
      expect(second).toMatchObject({ isMine: false, interaction: { outcome: 'approved' } });
    });

    it('[OPS-9, TIME-2, TIME-3] ends an overdue approval by its alarm, while no request arrives', async () => {
      const transport = connect();
      const id = await begin(transport);
      const screen = await watch(transport, id);
      await opened(transport, id, { ...approval(), timeoutSeconds: 1 });
      await screen.until(hasOutcome('expired'));
    });

    it('[OPS-9, LOG-4, TRN-4] replays the log after a restart, and takes the answer to what was open', async () => {
      const before = connect();
      const id = await begin(before);
      const { interactionId } = await opened(before, id, approval());
      const log = await logOf(before, id);
      await running().restart(id);

      const after = connect();
      expect(await logOf(after, id)).toEqual(log);
      // A kill can come before the session has reported the request to its workspace.
      await expect
        .poll(async () => (await after.inbox({ limit: 1000 })).interactions)
        .toContainEqual(expect.objectContaining({ sessionId: id }));
      const screen = listen(after, id, log.length);
      await after.answer(id, interactionId, { decision: 'deny', reason: 'not today' });
      await screen.until(hasOutcome('denied'));
      expect(screen.seqs()[0]).toBe(log.length + 1);
    });
  });
}

/** A subscriber whose connection is open. */
export async function watch(transport: Transport, id: string): Promise<Heard> {
  const screen = listen(transport, id);
  await screen.until(({ subscription }) => subscription.status.type === 'live');
  return screen;
}

type Outcome = EventOf<'interaction_response'>['payload']['outcome'];

function hasOutcome(outcome: Outcome) {
  return ({ events }: Heard) =>
    events.some(
      (event) => event.type === 'interaction_response' && event.payload.outcome === outcome,
    );
}
