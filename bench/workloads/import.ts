/**
 * The import of a transcript of a command-line agent: read, sent and stored, against reading alone.
 *
 * The floor is this product's reader of transcripts over the same text in the same process: an importer reads first, and
 * then strict parsing, digests and storage stand against that time.
 */
import { HttpTransport } from '../../src/client/http-transport.ts';
import { importTranscript } from '../../src/client/import-transcript.ts';
import {
  readTranscript,
  type Transcript,
} from '../../src/integrations/transcripts/transcript-reader.ts';
import { type BenchServer, withServer } from '../lib/bench-server.ts';
import { type Finding, findingFrom } from '../lib/finding.ts';
import { type Comparison, interleave, type Metrics } from '../lib/interleave.ts';
import { processUsage } from '../lib/process-usage.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { transcriptText } from './transcript-text.ts';

const ENTRIES = 10_000;
const SIZES = [300, 1_100];
/** Both sides run warm: a reader and a server that have done the same work before. */
const WARM_UP = 2;

function read(text: string): Transcript {
  return readTranscript('claude-code', text);
}

function readingBlock(text: string): Promise<Metrics> {
  for (let n = 0; n < WARM_UP; n += 1) read(text);
  return measure(() => read(text));
}

function importingBlock(bench: Bench, text: string): Promise<Metrics> {
  const { session, entries } = read(text);
  if (session === undefined) throw new Error('The transcript has no session');
  return withServer('product', bench, async (server) => {
    const { port, tokens } = server;
    const url = `http://127.0.0.1:${port}`;
    const transport = new HttpTransport({ url, token: tokens.agent, WebSocket: false });
    const importOnce = async (name: string) => {
      const { id } = await transport.createSession();
      const cli = { ...session, cliSessionId: name };
      const took = await measure(() => importTranscript(transport, id, cli, entries), server);
      const [stored] = (await transport.snapshot(id)).session.cliSessions;
      if (stored?.entries !== entries.length) throw new Error('Entries are missing');
      return took;
    };
    for (let n = 0; n < WARM_UP; n += 1) await importOnce(`warm-up-${n}`);
    const took = await importOnce('measured');
    transport.close();
    return took;
  });
}

/** `cpuMs` has the processor time of both processes. */
async function measure(work: () => unknown, server?: BenchServer): Promise<Metrics> {
  const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000 + ((server && (processUsage(server.pid)?.cpuMs ?? 0)) || 0);
  };
  const before = cpuMs();
  const start = performance.now();
  await work();
  return { ms: performance.now() - start, cpuMs: cpuMs() - before };
}

export const importing: Workload = {
  name: 'import',
  async run(bench) {
    const findings: Finding[] = [];
    const comparisons: Record<string, Comparison> = {};
    for (const resultChars of SIZES) {
      const text = transcriptText({ entries: ENTRIES, resultChars });
      const size = `${(text.length / 1_000_000).toFixed(1)} MB`;
      bench.log(`  ${read(text).entries.length} entries, ${size}`);
      const compared = await interleave({
        floor: { name: 'reader', run: () => readingBlock(text) },
        others: [{ name: 'import', run: () => importingBlock(bench, text) }],
        rounds: bench.rounds ?? (bench.quick ? 1 : 5),
        steadyBy: 'cpuMs',
        redo: bench.quick ? 0 : 3,
        log: bench.log,
      });
      comparisons[size] = compared;
      const what = `A transcript of 10,000 entries and ${size} imported, to reading it`;
      findings.push(
        findingFrom(compared, {
          what,
          unit: 'ms',
          metric: 'ms',
          of: 'import',
          goals: [{ of: 'ratio', atMost: 3 }],
        }),
        findingFrom(compared, {
          what: 'The same, processor time of client and server',
          unit: 'ms',
          metric: 'cpuMs',
          of: 'import',
        }),
      );
    }
    return { findings, comparisons };
  },
};
