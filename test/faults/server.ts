/**
 * The server that a fault harness kills: the built bundle over one folder and on one port, so that clients find it again
 * after each kill. Reports an end that the harness did not order.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { builtBundle } from '../../scripts/lib/worker-bundle.ts';
import {
  type Exit,
  type RunningWorkerd,
  type WorkerdOptions,
  freePort,
  startWorkerd,
} from '../../scripts/workerd.ts';
import { TEST_BINDINGS } from '../support/server-credentials.ts';

export interface FaultServerOptions extends Pick<WorkerdOptions, 'allowPrivateNetwork'> {
  /** Everything that the server writes. */
  readonly dataDir: string;
  /** The folder of another bundle than dist/, for proving that a fault in it is found. */
  readonly bundle?: string | undefined;
  readonly bindings?: Readonly<Record<string, string>>;
  /** Receives how the process ended and what it printed, when neither `kill` nor `stop` ended it. */
  readonly onUnexpectedEnd?: (evidence: string) => void;
}

const FAILURE = /uncaught|InvariantError|\bFATAL\b/i;

export class FaultServer {
  readonly #start: () => Promise<RunningWorkerd>;
  readonly #onUnexpectedEnd: (evidence: string) => void;
  #running: RunningWorkerd;
  #isUp = true;

  static async start(options: FaultServerOptions): Promise<FaultServer> {
    const { dataDir, bundle, bindings, allowPrivateNetwork = false } = options;
    mkdirSync(dataDir, { recursive: true });
    const port = await freePort();
    const start = () =>
      startWorkerd({
        dataDir: path.resolve(dataDir),
        port,
        allowPrivateNetwork,
        bindings: { ...TEST_BINDINGS, ...bindings },
        ...(bundle !== undefined && { bundle: builtBundle(bundle) }),
      });
    return new FaultServer(start, await start(), options.onUnexpectedEnd ?? (() => undefined));
  }

  private constructor(
    start: () => Promise<RunningWorkerd>,
    running: RunningWorkerd,
    onUnexpectedEnd: (evidence: string) => void,
  ) {
    this.#start = start;
    this.#running = running;
    this.#onUnexpectedEnd = onUnexpectedEnd;
    this.#watch();
  }

  get url(): string {
    return this.#running.url;
  }

  get port(): number {
    return this.#running.port;
  }

  get pid(): number {
    return this.#running.pid;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** `kill -9`. The signal is sent before this returns; the promise resolves when the process has ended. */
  kill(): Promise<Exit> {
    this.#isUp = false;
    return this.#running.kill();
  }

  stop(): Promise<Exit> {
    this.#isUp = false;
    return this.#running.stop();
  }

  /** Waits for the end of the last process, and starts another one over the same folder. */
  async restart(): Promise<void> {
    await this.#running.exited;
    this.#running = await this.#start();
    this.#isUp = true;
    this.#watch();
  }

  /** What the last process printed. */
  output(): string {
    return this.#running.output();
  }

  /** The lines of it that no refusal and no kill explains. */
  failureLines(pattern = FAILURE): string[] {
    return this.output()
      .split('\n')
      .filter((line) => pattern.test(line));
  }

  #watch(): void {
    const running = this.#running;
    void running.exited.then(({ code, signal }) => {
      if (running !== this.#running || !this.#isUp) return;
      this.#isUp = false;
      this.#onUnexpectedEnd(`the server died by itself (${signal ?? code}): ${running.output()}`);
    });
  }
}
