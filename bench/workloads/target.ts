/**
 * An approval in a workspace with one target, against the same approval in a workspace without one.
 *
 * Both are the product. The receiver is in the process of the bench and responds at once, so that the whole cost of two
 * deliveries is in the CPU of the server, and none of it may be on the path of the answer.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchServer, withServer } from '../lib/bench-server.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { findingFrom } from '../lib/finding.ts';
import { type Contestant, interleave, type Metrics } from '../lib/interleave.ts';
import { processUsage } from '../lib/process-usage.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { tripActor } from './trip-actor.ts';

const WITH_PRIVATE = { HOLDPOINT_PRIVATE_TOOLS: '1' };
const EVENTS = ['interaction.requested', 'interaction.resolved'];
/** Every delivery of the measured trips is part of their CPU. */
const DELIVERED_WITHIN_MS = 60_000;

async function startReceiver() {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    received: () => received,
    close: () => server.close(),
  };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

async function addTarget(server: BenchServer, { url }: Receiver): Promise<void> {
  const admin = await server.connect('admin');
  const body = { type: 'webhook', url, events: EVENTS };
  await admin.json('POST', '/v1/targets', 201, { body });
  admin.close();
}

function block(bench: Bench, sessions: number, receiver: Receiver | undefined): Promise<Metrics> {
  const operations = bench.quick ? 400 : 1_200;
  const warmUp = bench.quick ? 200 : 400;
  const allowed = { ...bench, outside: { product: WITH_PRIVATE, floor: {} } };
  return withServer('product', allowed, async (server) => {
    if (receiver !== undefined) await addTarget(server, receiver);
    const before = receiver?.received() ?? 0;
    const ids = Array.from({ length: sessions }, (_, n) => `target-${n}`);
    const actors = await Promise.all(ids.map((id) => tripActor(server, id, 'requests')));
    const trips = actors.map(({ trip }) => trip);
    const usedBefore = processUsage(server.pid);
    const { p50, p99 } = await closedLoop({ pid: server.pid, actors: trips, warmUp, operations });
    const wanted = before + 2 * (warmUp + operations);
    const deadline = performance.now() + DELIVERED_WITHIN_MS;
    const isMissing = () => (receiver?.received() ?? wanted) < wanted;
    while (isMissing()) {
      if (performance.now() > deadline) throw new Error('The target did not get every delivery');
      await sleep(50);
    }
    // Deliveries lag behind the trips, so all of both are counted, the warm-up too.
    const used = processUsage(server.pid);
    for (const actor of actors) actor.leave();
    const count = warmUp + operations;
    return {
      p50: p50 ?? 0,
      p99: p99 ?? 0,
      ...(usedBefore && used && { cpuMs: (used.cpuMs - usedBefore.cpuMs) / count }),
    };
  });
}

export const announcing: Workload = {
  name: 'target',
  async run(bench) {
    const receiver = await startReceiver();
    const findings = [];
    const comparisons: Record<string, Awaited<ReturnType<typeof interleave>>> = {};
    try {
      for (const sessions of [1, 16]) {
        const rounds = bench.rounds ?? (bench.quick ? 1 : 3);
        const contestant = (name: string, to: Receiver | undefined): Contestant => ({
          name,
          run: () => block(bench, sessions, to),
        });
        const who = sessions === 1 ? '1 session' : `${sessions} sessions`;
        bench.log(`  An approval with one target, ${who}`);
        const compared = await interleave({
          floor: contestant('without', undefined),
          others: [contestant('product', receiver)],
          rounds,
          steadyBy: 'p50',
          redo: bench.quick ? 0 : rounds,
          log: bench.log,
        });
        comparisons[who] = compared;
        const what = `An approval with one target, against one without, ${who}`;
        findings.push(
          findingFrom(compared, { what: `${what}, p50`, unit: 'ms', metric: 'p50' }),
          findingFrom(compared, { what: `${what}, server CPU`, unit: 'ms', metric: 'cpuMs' }),
        );
      }
    } finally {
      receiver.close();
    }
    return { findings, comparisons };
  },
};
