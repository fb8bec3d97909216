/** One run of the real SDK, and the common parts of scripts and checks. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation, ModelReply } from '../messages-api.ts';
import type { Performed, Stage } from '../stage.ts';

export interface Scene {
  readonly name: string;
  readonly about: string;
  play(stage: Stage): Promise<void>;
}

export const done = (text = 'Done.'): ModelReply => ({ text });
export const call = (name: string, input: object, text = 'I will.'): ModelReply => ({
  text,
  tools: [{ name, input }],
});

/** Keeps the last request to the model, for the checks. */
export function keepLastRequest() {
  let lastRequest: Conversation | undefined;
  return {
    keep: (conversation: Conversation) => void (lastRequest = conversation),
    get result() {
      return lastRequest?.results[0];
    },
  };
}

export const kinds = ({ seen }: Performed) => seen.map(({ type }) => type);

export function checks(stage: Stage) {
  return {
    check: (what: string, isTrue: boolean, evidence?: unknown) =>
      stage.transcript.check(what, isTrue, evidence),
  };
}

export function count({ seen }: Performed, type: string): number {
  return seen.filter((message) => message.type === type).length;
}

/** What a tool has written into the working folder, by lines; none without the file. */
export function linesOf({ work }: Stage, name: string): readonly string[] {
  const file = path.join(work, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

export async function eventually<Value>(
  look: () => Promise<Value>,
  isIt: (value: Value) => boolean,
): Promise<Value> {
  let value = await look();
  for (let tries = 0; !isIt(value) && tries < 100; tries += 1) {
    await sleep(100);
    value = await look();
  }
  return value;
}
