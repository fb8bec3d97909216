/** The model of a trial: a Messages API that checks each request, plays the scene, and reports its progress. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer, type Reply } from '../../support/messages-api/reply.ts';
import { isRecord, requestFaults } from './request-rules.ts';
import { blocksOf, type Scene, SCENES, SUMMARY } from './scenes.ts';
import type { Trial } from './trial.ts';

export async function serveModel(
  trial: Trial,
  body: unknown,
  response: ServerResponse,
): Promise<void> {
  const faults = requestFaults(body);
  trial.requests.push({ at: Date.now(), body, faults, kills: trial.kills });
  const [fault] = faults;
  if (fault !== undefined) return refuse(response, 400, 'invalid_request_error', fault);
  if (isSummaryRequest(body)) {
    const kills = trial.kills;
    trial.pass('summary:asked');
    if (trial.kills > kills) return void response.destroy();
    return stream(
      trial,
      answer([{ type: 'text', text: SUMMARY }]),
      { points: 'summary' },
      response,
    );
  }
  const scene = sceneOf(body);
  if (scene === undefined) return refuse(response, 400, 'invalid_request_error', 'no scene');
  if (trial.busyLeft > 0) {
    trial.busyLeft -= 1;
    return refuse(response, 529, 'overloaded_error', 'Overloaded');
  }
  const { compaction, paceMs } = scene;
  const index = compaction === undefined ? answersIn(body) : nextStepIn(body);
  const parts = scene.answers[index] ?? [{ text: 'There is nothing more to say.' }];
  const blocks = blocksOf(parts, () => trial.freshId('toolu'));
  const stopReason = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const usage = index === compaction?.fullAt && { usage: { output_tokens: compaction.tokens } };
  const reply = answer(blocks, { stopReason, ...usage });
  await stream(trial, reply, { points: 'model', ...(paceMs && { paceMs }) }, response);
}

interface StreamOptions {
  /** Whose points it passes. */
  readonly points: 'model' | 'summary';
  readonly paceMs?: number;
}

async function stream(
  trial: Trial,
  reply: Reply,
  { points, paceMs = 0 }: StreamOptions,
  response: ServerResponse,
) {
  if (!('steps' in reply)) throw new Error('A scene is streamed');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const { steps } = reply;
  for (const [index, step] of steps.entries()) {
    if (response.destroyed || !('event' in step)) return;
    const text = `event: ${step.event.type}\ndata: ${JSON.stringify(step.event)}\n\n`;
    if (!response.write(text)) await once(response, 'drain');
    if (paceMs > 0) await sleep(paceMs);
    if (index === 0) trial.pass(`${points}:begun`);
    // The written bytes must leave this process before the kill, or the server could not have read any.
    if (index === Math.floor(steps.length / 2)) await sleep(2);
    if (index === Math.floor(steps.length / 2)) trial.pass(`${points}:middle`);
  }
  response.end(() => trial.pass(`${points}:ended`));
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type, message } }));
}

/** Finds the scene by the person's last message, ignoring the tool results after it. */
function sceneOf(body: unknown): Scene | undefined {
  const name = /scene ([a-z-]+)/.exec(messagesOf(body)[turnStart(body)]?.text ?? '')?.[1];
  return Object.entries(SCENES).find(([key]) => key === name)?.[1];
}

/** The last text of a request for a summary asks for it, after the conversation or in a message of its own. */
export function isSummaryRequest(body: unknown): boolean {
  return messagesOf(body).at(-1)?.text.includes('Write a summary') === true;
}

/** One more than the last step that the model finds in its own texts. */
function nextStepIn(body: unknown): number {
  const steps = messagesOf(body).flatMap(({ role, firstText }) =>
    role === 'assistant' ? (/^Step (\d+)/.exec(firstText)?.[1] ?? []) : [],
  );
  return Number(steps.at(-1) ?? -1) + 1;
}

function answersIn(body: unknown): number {
  const since = messagesOf(body).slice(turnStart(body));
  return since.filter(({ role }) => role === 'assistant').length;
}

function turnStart(body: unknown): number {
  return messagesOf(body).findLastIndex(({ role, text }) => role === 'user' && text !== '');
}

interface Spoken {
  readonly role: unknown;
  /** The last text of the message. */
  readonly text: string;
  readonly firstText: string;
}

function messagesOf(body: unknown): readonly Spoken[] {
  const messages = isRecord(body) ? body['messages'] : undefined;
  if (!Array.isArray(messages)) return [];
  return messages.map((message): Spoken => {
    const content =
      isRecord(message) && Array.isArray(message['content']) ? message['content'] : [];
    const texts = content.filter((block) => isRecord(block) && block['type'] === 'text');
    const [first, last] = [texts[0], texts.at(-1)];
    return {
      role: isRecord(message) ? message['role'] : undefined,
      text: isRecord(last) ? String(last['text']) : '',
      firstText: isRecord(first) ? String(first['text']) : '',
    };
  });
}
