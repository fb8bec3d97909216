/** The harnesses of `npm run faults`: their options and how to run them. */
import { runMutants } from '../mutants/run-mutants.ts';
import { runFuzz } from '../fuzz/fuzz-run.ts';
import { fuzzText } from '../fuzz/report.ts';
import { runSeeds, seedsText } from '../simulation/run-seeds.ts';
import { runAgentCrashTest } from './agent-crash/agent-crash-run.ts';
import { agentCrashText } from './agent-crash/report.ts';
import { runCrashTest } from './crash/crash-run.ts';
import { runLargeInputTest } from './large-input/large-input-run.ts';
import { runKills } from './netcut/client/kill-run.ts';
import { runNetcut } from './netcut/netcut-run.ts';
import { runQuorumTest } from './quorum/quorum-run.ts';
import { runRendezvousTest } from './rendezvous/rendezvous-run.ts';
import { type FaultReport, reportText } from './report.ts';
import { runWebhooks } from './webhooks/webhooks-run.ts';

/** The options of every harness. */
export interface FaultRun {
  readonly seed: string;
  /** An empty folder for everything that servers write. */
  readonly dataDir: string;
  /** The folder of another bundle than dist/. */
  readonly bundle?: string | undefined;
  readonly print?: ((line: string) => void) | undefined;
}

export interface FaultCommand {
  readonly what: string;
  /** Whole numbers, with their defaults. */
  readonly counts: Readonly<Record<string, number>>;
  readonly texts?: readonly string[];
  readonly switches?: readonly string[];
  /** The seed of a run that names none; default: a new one each time. */
  readonly seed?: string;
  run(options: FaultOptions, run: FaultRun): Promise<{ report: FaultReport; text: string }>;
}

/** The options of one run, as the command line gave them. */
export class FaultOptions {
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;
  readonly #defaults: Readonly<Record<string, number>>;

  constructor(
    values: Readonly<Record<string, string | boolean | undefined>>,
    defaults: Readonly<Record<string, number>>,
  ) {
    this.#values = values;
    this.#defaults = defaults;
    for (const name of Object.keys(defaults)) this.count(name);
  }

  count(name: string): number {
    const least = this.#defaults[name] === 0 ? 0 : 1;
    const count = Number(this.#values[name] ?? this.#defaults[name]);
    if (!Number.isInteger(count) || count < least) {
      throw new Error(`--${name} is a whole number of at least ${least}`);
    }
    return count;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  isOn(name: string): boolean {
    return this.#values[name] === true;
  }
}

export const FAULT_COMMANDS: Readonly<Record<string, FaultCommand>> = {
  crash: {
    what: 'kills the server under load, and looks for acknowledged work that is gone',
    counts: { kills: 100 },
    run: async (options, run) =>
      figuresOf(await runCrashTest({ kills: options.count('kills'), ...run })),
  },
  agent: {
    what: 'kills the server at each boundary of a turn of the built-in agent',
    counts: { kills: 50, workers: 4 },
    texts: ['only'],
    async run(options, run) {
      const [kills, workers] = [options.count('kills'), options.count('workers')];
      const report = await runAgentCrashTest({
        kills,
        workers,
        only: options.text('only'),
        ...run,
      });
      return { report, text: agentCrashText(report) };
    },
  },
  quorum: {
    what: 'kills the server in the midst of votes, and counts for itself who has approved',
    counts: { races: 200 },
    run: async (options, run) =>
      figuresOf(await runQuorumTest({ races: options.count('races'), ...run })),
  },
  rendezvous: {
    what: 'kills the server while requests wait for their tool calls',
    counts: { kills: 100 },
    run: async (options, run) =>
      figuresOf(await runRendezvousTest({ kills: options.count('kills'), ...run })),
  },
  'large-input': {
    what: 'kills the server while agents ask about files of up to 8 MiB, and looks for halves of them',
    counts: { kills: 100 },
    run: async (options, run) =>
      figuresOf(await runLargeInputTest({ kills: options.count('kills'), ...run })),
  },
  netcut: {
    what: 'cuts the connections of subscribers; with --client it kills a client too',
    counts: { cuts: 1_000, kills: 100 },
    switches: ['client'],
    run: async (options, run) =>
      options.isOn('client')
        ? figuresOf(await runKills({ kills: options.count('kills'), ...run }))
        : figuresOf(await runNetcut({ cuts: options.count('cuts'), ...run })),
  },
  webhooks: {
    what: 'kills the server and the receivers of webhooks, and looks for events that were not delivered',
    counts: { kills: 30, alarms: 3 },
    run: async (options, run) => {
      const [kills, alarms] = [options.count('kills'), options.count('alarms')];
      return figuresOf(await runWebhooks({ kills, alarms, ...run }));
    },
  },
  simulate: {
    what: 'plays sessions and a workspace on a host that fails, from numbered seeds',
    counts: { seeds: 500, steps: 200 },
    switches: ['brief'],
    seed: '0',
    async run(options, { seed, print }) {
      const [seeds, steps] = [options.count('seeds'), options.count('steps')];
      const report = await runSeeds({ seeds, steps, seed, isBrief: options.isOn('brief'), print });
      return { report, text: seedsText(report) };
    },
  },
  fuzz: {
    what: 'sends requests, frames and bytes that are made from the schemas and then spoiled',
    counts: { cases: 20_000, from: 0, 'at-once': 8, 'give-up-after-ms': 2_000 },
    async run(options, run) {
      const report = await runFuzz({
        ...run,
        cases: options.count('cases'),
        from: options.count('from'),
        atOnce: options.count('at-once'),
        giveUpAfterMs: options.count('give-up-after-ms'),
      });
      return { report, text: fuzzText(report) };
    },
  },
  mutants: {
    what: 'plants faults in a copy of the sources, and runs the suites that should notice',
    counts: {},
    texts: ['only'],
    switches: ['quick'],
    async run(options, { seed, print }) {
      const isQuick = options.isOn('quick');
      const report = await runMutants({
        isQuick,
        only: options.text('only') ?? '',
        seed,
        say: print,
      });
      return figuresOf(report);
    },
  },
};

type Figures = Parameters<typeof reportText>[1];

function figuresOf<Report extends FaultReport>(
  report: Report & { readonly [Key in Exclude<keyof Report, keyof FaultReport>]: Figures[string] },
): { report: Report; text: string } {
  const { seed, findings, ...figures } = report;
  return { report, text: reportText(seed, { seed, ...figures }, findings) };
}
