/** One server and its services, which run one trial after another; several workers run in parallel. */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey, makeToken } from '../../support/server-credentials.ts';
import { FaultServer } from '../server.ts';
import { type FakeServices, startFakeServices } from './fake-services.ts';
import type { Trial } from './trial.ts';

export interface TrialWorkerOptions {
  readonly dataDir: string;
  /** Another bundle than dist/, for proving that a fault in it is found. */
  readonly bundle?: string | undefined;
}

const COMPLAINT = /uncaught|InvariantError|\bFATAL\b|breaks? off|broke off/i;

export class TrialWorker {
  readonly services: FakeServices;
  readonly tokens: { readonly person: string; readonly agent: string };
  trial: Trial | undefined;
  readonly #server: FaultServer;

  static async begin({ dataDir, bundle }: TrialWorkerOptions): Promise<TrialWorker> {
    const now: { worker?: TrialWorker } = {};
    const services = await startFakeServices(() => now.worker?.trial);
    const server = await FaultServer.start({
      dataDir,
      bundle,
      allowPrivateNetwork: true,
      bindings: {
        ANTHROPIC_API_KEY: 'scripted-key',
        ANTHROPIC_BASE_URL: `${services.url}/model`,
        HOLDPOINT_PRIVATE_TOOLS: '1',
      },
      onUnexpectedEnd: (evidence) => now.worker?.trial?.problem('DIED', evidence.slice(-1_000)),
    });
    const tokens = {
      person: await makeToken(server.url, 'ann', ['read', 'answer', 'send']),
      agent: await makeKey(server.url, 'runner', ['read', 'agent']),
    };
    now.worker = new TrialWorker(services, tokens, server);
    return now.worker;
  }

  private constructor(services: FakeServices, tokens: TrialWorker['tokens'], server: FaultServer) {
    this.services = services;
    this.tokens = tokens;
    this.#server = server;
  }

  get url(): string {
    return this.#server.url;
  }

  get isUp(): boolean {
    return this.#server.isUp;
  }

  /** Sends kill -9 at once; `restart` waits for the end of the process. */
  readonly kill = (): void => {
    void this.#server.kill();
  };

  async restart(downMs = 0): Promise<void> {
    await this.#server.kill();
    this.#complain();
    await sleep(downMs);
    await this.#server.restart();
  }

  async end(): Promise<void> {
    await this.#server.kill();
    this.#complain();
    await this.services.stop();
  }

  #complain(): void {
    for (const line of this.#server.failureLines(COMPLAINT)) this.trial?.problem('PRINTED', line);
  }
}
