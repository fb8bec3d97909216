/** The tasks of a page in time of the processor: by the clock, a machine with other work makes any task as long as it likes. */
import type { Page } from 'playwright';

export interface PageTrace {
  readonly tasks: readonly TraceEvent[];
  /** What the page marked with `performance.mark`, by name; the first of each. */
  readonly marks: ReadonlyMap<string, TraceEvent>;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** By the clock, in microseconds, as `dur` is. */
  readonly ts: number;
  readonly dur?: number;
  /** Time of the processor, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const CATEGORIES = ['disabled-by-default-devtools.timeline', 'toplevel', 'blink.user_timing'];

export async function tracePage(page: Page, work: () => Promise<unknown>): Promise<PageTrace> {
  const debug = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  debug.on('Tracing.dataCollected', ({ value }) =>
    events.push(...(value as unknown[] as TraceEvent[])),
  );
  await debug.send('Tracing.start', {
    traceConfig: { includedCategories: CATEGORIES },
    transferMode: 'ReportEvents',
  });
  await work();
  const isComplete = new Promise((done) => debug.once('Tracing.tracingComplete', done));
  await debug.send('Tracing.end');
  await isComplete;
  await debug.detach();
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const isMain = (event: TraceEvent) => mains.has(threadOf(event));
  const tasks = events.filter((event) => event.name === 'RunTask' && isMain(event));
  if (tasks.length === 0) throw new Error('The browser recorded no task');
  const marks = new Map<string, TraceEvent>();
  for (const event of events.toSorted((a, b) => a.ts - b.ts))
    if (isMain(event) && !marks.has(event.name)) marks.set(event.name, event);
  return { tasks, marks };
}

/** The tasks of the thread until it made this mark, in milliseconds of the processor. */
export function cpuUntil({ tasks, marks }: PageTrace, mark: string): number {
  const end = marks.get(mark);
  if (end === undefined) throw new Error(`The page did not mark “${mark}”`);
  const before = tasks.filter(
    ({ pid, tid, ts }) => pid === end.pid && tid === end.tid && ts < end.ts,
  );
  const spent = before.map(({ ts, dur = 0, tdur = 0 }) =>
    ts + dur > end.ts ? (tdur * (end.ts - ts)) / dur : tdur,
  );
  return spent.reduce((sum, part) => sum + part, 0) / 1_000;
}
