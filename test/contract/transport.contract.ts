/**
 * What every transport must do, whichever way it reaches its sessions: one suite, run against a
 * server and against the session core in this process. A surface that works over one and fails over
 * the other would be a fault found here.
 *
 * A world is made once for a suite; every test begins a session of its own in it.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import type { Transport } from '../../src/client/transport.ts';
import { answeringContract } from './transport/answering.ts';
import { askingContract } from './transport/asking.ts';
import { historyContract } from './transport/history.ts';
import { inboxContract } from './transport/inbox.ts';
import { attachedFilesContract } from './transport/attached-files.ts';
import { builtInAgentContract } from './transport/built-in-agent.ts';
import { messagesContract } from './transport/messages.ts';
import { sessionsContract } from './transport/sessions.ts';
import { subscribingContract } from './transport/subscribing.ts';

interface TransportWorld {
  /** Of somebody who may do everything: read, answer, send, create, delete. */
  readonly transport: Transport;
  /** Of an agent: it creates, opens, waits, appends and reads. May be the same one. */
  readonly agent: Transport;
  /** A transport to the same sessions that the test may close. */
  another(): Transport;
  end(): Promise<void>;
}

export interface TransportFixture {
  readonly name: string;
  make(): Promise<TransportWorld>;
}

/** What the parts of the suite are given; valid once their tests run. */
export type World = () => TransportWorld;

export function transportContract({ name, make }: TransportFixture): void {
  describe(`the transport ${name}`, () => {
    let made: TransportWorld | undefined;
    const world: World = () => {
      if (made === undefined) throw new Error('The world was not made');
      return made;
    };
    beforeAll(async () => {
      made = await make();
    });
    afterAll(() => made?.end());

    sessionsContract(world);
    askingContract(world);
    answeringContract(world);
    subscribingContract(world);
    messagesContract(world);
    attachedFilesContract(world);
    builtInAgentContract(world);
    historyContract(world);
    inboxContract(world);
  });
}
