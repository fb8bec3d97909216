/**
 * What docs/performance.md says of the last whole run: a paragraph and a table, both written here from
 * `results/latest.json`. A figure that is typed into the page by hand would outlive the code it was measured on.
 */
import { type Finding, type FindingKey } from './finding.ts';
import { type Circumstances, findingTable, significant } from './report.ts';
import type { Measured } from './workload.ts';

export interface PublishedRun {
  readonly circumstances: Circumstances;
  readonly measured: Readonly<Record<string, Pick<Measured, 'findings'>>>;
}

export function performanceBlocks(run: PublishedRun): Readonly<Record<string, string>> {
  return { summary: summaryOf(run), table: tableOf(run) };
}

/** The page with these blocks written anew; each must be there, between its two comments. */
export function writeBlocks(page: string, blocks: Readonly<Record<string, string>>): string {
  return Object.entries(blocks).reduce((text, [name, block]) => {
    const [begin, end] = [`<!-- bench: ${name} -->\n`, `\n<!-- bench: end of ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`The page has no block "${name}" for the bench`);
    return `${text.slice(0, from + begin.length)}\n${block}\n${text.slice(to)}`;
  }, page);
}

export function findingsOf({ measured }: PublishedRun): Finding[] {
  return Object.values(measured).flatMap(({ findings }) => [...findings]);
}

function tableOf(run: PublishedRun): string {
  const { startedAt, minutes, cores, cpu, workerd, node, commit } = run.circumstances;
  const rows = findingsOf(run).filter(({ isDetail }) => isDetail !== true);
  return `${startedAt.slice(0, 10)}, ${minutes.toFixed(0)} minutes, ${cores} × ${cpu}, workerd ${workerd}, Node ${node}, at commit \`${commit}\`.
Medians, with the range over rounds; the ratio is to the floor beside it. All of it, with p99 and throughput, is in
[bench/results](../bench/results/latest.md).

${findingTable(rows)}`;
}

/** For a reader who decides whether to use it; each sentence stands only if its figures were measured. */
function summaryOf(run: PublishedRun): string {
  const found = new Map<FindingKey, Finding>();
  for (const finding of findingsOf(run)) {
    if (finding.key !== undefined) found.set(finding.key, finding);
  }
  const figures = (key: FindingKey) => {
    const { product, floor } = found.get(key) ?? {};
    return { own: product?.median, bare: floor?.median };
  };
  return [
    costSentence(figures('trip-cpu')),
    pacedSentence(figures('paced-cpu'), figures('paced-syncs')),
    waitingSentence(figures('wakes')),
    crashSentence(figures('crash')),
  ]
    .filter((sentence) => sentence !== undefined)
    .join('\n');
}

interface Figures {
  readonly own: number | undefined;
  readonly bare: number | undefined;
}

function costSentence({ own, bare }: Figures): string | undefined {
  if (own === undefined || bare === undefined) return undefined;
  return `**An approval takes ${significant(own)} ms of one processor core on the server**, of which ${significant(bare)} ms are the work that any
server must do: store the question, show it, store the answer and return it. Credentials, checks, digests, rules, the
inbox and the audit list are the other ${significant(own - bare)} ms.`;
}

function pacedSentence(cpu: Figures, syncs: Figures): string | undefined {
  if (cpu.own === undefined || cpu.bare === undefined) return undefined;
  const commits =
    syncs.own === undefined || syncs.bare === undefined
      ? ''
      : `, and ${significant(syncs.own)} commits to disk where the bare work makes ${significant(syncs.bare)}`;
  return `With pauses as people make them it takes ${significant(cpu.own)} ms instead of ${significant(cpu.bare)} ms${commits}.`;
}

function waitingSentence({ own }: Figures): string | undefined {
  if (own === undefined) return undefined;
  const woke = own === 0 ? 'nothing woke it' : `it woke ${significant(own)} times`;
  return `**Waiting costs ${own === 0 ? 'nothing' : 'little'}**: with an open question, an agent that waits for it and two people who watch, the session leaves
memory, and ${woke} until the answer.`;
}

function crashSentence({ own }: Figures): string | undefined {
  if (own === undefined) return undefined;
  return `**A crash loses nothing that was acknowledged**: after \`kill -9\` of a server with 10,000 open questions the first answer
reached its agent after ${significant(own)} ms, start included, and every question that was looked up was still there.`;
}
