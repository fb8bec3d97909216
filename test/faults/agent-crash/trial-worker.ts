/** One server and its services, on which trials are played one after the other; workers run beside one another. */
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtBundle } from '../../../scripts/lib/worker-bundle.ts';
import { type RunningWorkerd, freePort, startWorkerd } from '../../../scripts/workerd.ts';
import { makeKey, makeToken, TEST_BINDINGS } from '../../support/server-credentials.ts';
import { type FakeServices, startFakeServices } from './fake-services.ts';
import type { Trial } from './trial.ts';

export interface TrialWorkerOptions {
  readonly dataDir: string;
  /** Another bundle than dist/, for proving that a fault in it is found. */
  readonly bundle?: string | undefined;
}

const COMPLAINT = /uncaught|InvariantError|\bFATAL\b|breaks? off|broke off/i;

export class TrialWorker {
  readonly #start: () => Promise<RunningWorkerd>;
  readonly services: FakeServices;
  readonly tokens: { readonly person: string; readonly agent: string };
  #server: RunningWorkerd;
  #ended: Promise<unknown> = Promise.resolve();
  trial: Trial | undefined;
  #isUp = true;

  static async begin({ dataDir, bundle }: TrialWorkerOptions): Promise<TrialWorker> {
    mkdirSync(dataDir, { recursive: true });
    const now: { worker?: TrialWorker } = {};
    const services = await startFakeServices(() => now.worker?.trial);
    const port = await freePort();
    const start = () =>
      startWorkerd({
        dataDir,
        port,
        allowPrivateNetwork: true,
        bindings: {
          ...TEST_BINDINGS,
          ANTHROPIC_API_KEY: 'scripted-key',
          ANTHROPIC_BASE_URL: `${services.url}/model`,
          HOLDPOINT_PRIVATE_TOOLS: '1',
        },
        ...(bundle !== undefined && { bundle: builtBundle(bundle) }),
      });
    const server = await start();
    const tokens = {
      person: await makeToken(server.url, 'ann', ['read', 'answer', 'send']),
      agent: await makeKey(server.url, 'runner', ['read', 'agent']),
    };
    now.worker = new TrialWorker(start, services, tokens, server);
    return now.worker;
  }

  private constructor(
    start: () => Promise<RunningWorkerd>,
    services: FakeServices,
    tokens: TrialWorker['tokens'],
    server: RunningWorkerd,
  ) {
    this.#start = start;
    this.services = services;
    this.tokens = tokens;
    this.#server = server;
    this.#watch();
  }

  get url(): string {
    return this.#server.url;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** kill -9, in this very moment; `restart` waits for its end. */
  readonly kill = (): void => {
    this.#isUp = false;
    this.#ended = this.#server.kill();
  };

  async restart(downMs = 0): Promise<void> {
    await this.#ended;
    this.#complain();
    await sleep(downMs);
    this.#server = await this.#start();
    this.#isUp = true;
    this.#watch();
  }

  async end(): Promise<void> {
    this.#isUp = false;
    await this.#server.kill();
    this.#complain();
    await this.services.stop();
  }

  #watch(): void {
    const server = this.#server;
    void server.exited.then(() => {
      if (server !== this.#server || !this.#isUp) return;
      this.#isUp = false;
      this.trial?.problem('DIED', server.output().slice(-1_000));
    });
  }

  #complain(): void {
    const lines = this.#server.output().split('\n');
    for (const line of lines.filter((one) => COMPLAINT.test(one))) {
      this.trial?.problem('PRINTED', line);
    }
  }
}
