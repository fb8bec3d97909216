/** The tools of a trial, outside the killed process: they count every effect, across all kills. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from './request-rules.ts';
import type { Trial } from './trial.ts';

/** The time in which the waiting server can be killed. */
const RUNS_MS = 25;

export async function serveTool(
  trial: Trial,
  tool: string,
  body: unknown,
  response: ServerResponse,
): Promise<void> {
  const { toolCallId, isRepeat } = isRecord(body) ? body : {};
  trial.effects.push({ tool, toolCallId: String(toolCallId), isRepeat: isRepeat === true });
  trial.pass(`tool:ran:${tool}`);
  await sleep(RUNS_MS);
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.end(`${tool} is done.`, () => trial.pass(`tool:answered:${tool}`));
}
