/** A thousand calls at once by one credential, against the limits of a deployment as it comes. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentStage } from '../e2e-agents/agent-stage.ts';
import { callTool, textOf } from '../support/mcp-wire.ts';

const CALLS = 1_000;
/** Each takes fewer questions than a session may have open. */
const SESSIONS = 20;
const HEALTH_EVERY_MS = 250;
/** Longer than the period of the rate limit, so that the next requests count anew. */
const NEXT_PERIOD_MS = 15_000;
const GONE_MS = 120_000;

export async function measureBounds(stage: AgentStage): Promise<void> {
  const { transcript, url } = stage;
  const health = watchHealth(url);
  const before = residentBytes(stage.serverPid);
  const since = performance.now();
  const replies = await Promise.all(callAtOnce(stage, 'waits'));
  const seconds = Math.round((performance.now() - since) / 1_000);
  const slowest = await health.stop();
  const waiting = replies.filter((reply) => reply === WAITS).length;
  const refusals = countTexts(replies.filter((reply) => reply !== WAITS));
  for (const [text, count] of refusals) transcript.line('refused', `${count} × ${text}`);
  const grown = Math.round((residentBytes(stage.serverPid) - before) / 2 ** 20);
  transcript.line('bounds', `${waiting} wait, ${CALLS - waiting} are refused, in ${seconds} s`);
  transcript.line('bounds', `health within ${slowest} ms, ${grown} MiB more`);
  transcript.check('some wait', waiting > 0, waiting);
  const isSaid = [...refusals.keys()].every((text) =>
    text.startsWith('Nobody could be asked, so this was not run: '),
  );
  transcript.check('every refusal says so', isSaid, [...refusals.keys()]);
  await sleep(NEXT_PERIOD_MS);
  const total = await openIn(stage, 'waits');
  transcript.check('as many are open as wait', total === waiting, { total, waiting });
}

/** All clients leave at once, as when their network is cut. */
export async function measureDepartures(stage: AgentStage): Promise<void> {
  const { transcript } = stage;
  const leaving = new AbortController();
  const calls = callAtOnce(stage, 'leaves', leaving.signal);
  await sleep(NEXT_PERIOD_MS);
  const asked = await openIn(stage, 'leaves');
  leaving.abort();
  await Promise.all(calls);
  const since = performance.now();
  let open = await openIn(stage, 'leaves');
  while (open > 0 && performance.now() - since < GONE_MS) {
    await sleep(1_000);
    open = await openIn(stage, 'leaves');
  }
  const seconds = Math.round((performance.now() - since) / 1_000);
  // A call that the limits held up could still ask for a client that is gone.
  await sleep(NEXT_PERIOD_MS);
  open += await openIn(stage, 'leaves');
  transcript.line('bounds', `${asked} were open as all left; ${open} are after ${seconds} s`);
  transcript.check('some had asked', asked > 0, asked);
  transcript.check('no question stays open for no one', open === 0, open);
}

const WAITS = 'waits';

/** Each reply as one text. */
function callAtOnce(
  { url, token }: AgentStage,
  label: string,
  signal?: AbortSignal,
): readonly Promise<string>[] {
  return Array.from({ length: CALLS }, (_, index) => {
    const args = { session: `${label}-${index % SESSIONS}`, question: `Deploy ${index}?` };
    const call = { era: 'modern', token, tool: 'ask_human', args } as const;
    return callTool({ url }, { ...call, ...(signal !== undefined && { signal }) }).then(
      (reply) => (reply.resultType === 'input_required' ? WAITS : textOf(reply)),
      (cause: unknown) => String(cause),
    );
  });
}

function countTexts(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const like = text.replaceAll(/\d+/g, 'N');
    counts.set(like, (counts.get(like) ?? 0) + 1);
  }
  return counts;
}

async function openIn({ person }: AgentStage, label: string): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, index) => {
      const { open } = await person.transport.snapshot(`${label}-${index}`);
      return open.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024;
}

function watchHealth(url: string): { stop(): Promise<number> } {
  const ended = new AbortController();
  let slowest = 0;
  const watching = (async () => {
    while (!ended.signal.aborted) {
      const since = performance.now();
      const response = await fetch(`${url}/health`);
      await response.arrayBuffer();
      slowest = Math.max(slowest, Math.round(performance.now() - since));
      await sleep(HEALTH_EVERY_MS);
    }
  })();
  return {
    async stop() {
      ended.abort();
      await watching;
      return slowest;
    },
  };
}
