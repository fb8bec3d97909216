/**
 * The client's cost of reading a log: 10,000 events folded into the replica and the timeline, in process.
 *
 * The floor is `JSON.parse` of the same frames, which every client needs. The product parses them as well, so its ratio
 * is the time that a reconnecting page waits, and 1 would mean a fold without cost.
 */
import { emptyReplica, foldLog, foldWelcome } from '../../src/client/state/replica.ts';
import { emptyTimeline, foldEvents } from '../../src/client/timeline/timeline.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { findingFrom } from '../lib/finding.ts';
import { interleave, type Metrics } from '../lib/interleave.ts';
import { median } from '../lib/statistics.ts';
import type { Workload } from '../lib/workload.ts';
import { timelineFrames } from './timeline-frames.ts';

const EVENTS = 10_000;
const WARM_UP = 5;

interface EventsFrame {
  readonly events: readonly SessionEvent[];
}

function parse(frames: readonly string[]): number {
  let seen = 0;
  for (const frame of frames) seen += (JSON.parse(frame) as EventsFrame).events.length;
  return seen;
}

function foldReplica(frames: readonly string[]): number {
  let replica = foldWelcome(emptyReplica(), snapshot);
  for (const frame of frames) {
    const folded = foldLog(replica, (JSON.parse(frame) as EventsFrame).events);
    if (!folded.ok) throw new Error(`A gap after ${folded.gap.after}`);
    ({ replica } = folded);
  }
  return replica.cursor;
}

function foldTimeline(frames: readonly string[]): number {
  let timeline = emptyTimeline();
  for (const frame of frames) {
    timeline = foldEvents(timeline, (JSON.parse(frame) as EventsFrame).events);
  }
  return timeline.head;
}

function foldBoth(frames: readonly string[]): number {
  let replica = foldWelcome(emptyReplica(), snapshot);
  let timeline = emptyTimeline();
  for (const frame of frames) {
    const { events } = JSON.parse(frame) as EventsFrame;
    const folded = foldLog(replica, events);
    if (!folded.ok) throw new Error(`A gap after ${folded.gap.after}`);
    ({ replica } = folded);
    timeline = foldEvents(timeline, events);
  }
  return Math.min(replica.cursor, timeline.head);
}

const snapshot = {
  session: {
    id: 'timeline-0',
    workspace: 'main',
    title: null,
    permissionMode: 'default' as const,
    timeouts: {},
    metadata: {},
    createdAt: 0,
    turn: null,
    queued: [],
    waitingForPerson: false,
    agent: null,
    cliSessions: [],
  },
  head: 0,
  open: [],
  now: 0,
};

function contestant(
  name: string,
  frames: readonly string[],
  repeats: number,
  work: (frames: readonly string[]) => number,
) {
  const once = () => {
    const start = performance.now();
    const reached = work(frames);
    const took = performance.now() - start;
    if (reached !== EVENTS) throw new Error(`${name} reached ${reached} of ${EVENTS} events`);
    return took;
  };
  const run = (): Promise<Metrics> => {
    for (let n = 0; n < WARM_UP; n += 1) once();
    return Promise.resolve({ ms: median(Array.from({ length: repeats }, once)) });
  };
  return { name, run };
}

export const drawing: Workload = {
  name: 'timeline',
  async run(bench) {
    const frames = timelineFrames(EVENTS);
    const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
    bench.log(`  ${EVENTS} events, ${(bytes / EVENTS).toFixed(0)} bytes each`);
    const repeats = bench.quick ? 5 : 15;
    const compared = await interleave({
      floor: contestant('JSON.parse', frames, repeats, parse),
      others: [
        contestant('both', frames, repeats, foldBoth),
        contestant('timeline', frames, repeats, foldTimeline),
        contestant('replica', frames, repeats, foldReplica),
      ],
      rounds: bench.rounds ?? (bench.quick ? 3 : 9),
      steadyBy: 'ms',
      redo: bench.quick ? 0 : 6,
      log: bench.log,
    });
    const about = { unit: 'ms', metric: 'ms' };
    return {
      findings: [
        findingFrom(compared, {
          ...about,
          what: '10,000 events parsed and folded into replica and timeline, to parsing alone',
          of: 'both',
          goals: [{ of: 'ratio', atMost: 3 }],
        }),
        findingFrom(compared, { ...about, what: 'The same, timeline alone', of: 'timeline' }),
        findingFrom(compared, { ...about, what: 'The same, replica alone', of: 'replica' }),
      ],
      comparisons: { timeline: compared },
    };
  },
};
