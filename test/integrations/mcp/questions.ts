/** What a person sees and does while a tool waits. */
import { vi } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { ask, type Reachable, send } from '../../support/http/call.ts';

export const YES_NO = [{ label: 'Yes' }, { label: 'No' }];
export const QUESTION = { question: 'Deploy?', header: 'Deploy', options: YES_NO };

export interface Open extends JsonObject {
  readonly interactionId: string;
  readonly toolCallId: string;
  readonly kind: string;
}

export async function openIn(server: Reachable, session: string): Promise<readonly Open[]> {
  const path = `/v1/sessions/${session}/interactions`;
  const { status, text } = await send(server, { method: 'GET', path });
  return status === 200 ? (JSON.parse(text) as { interactions: Open[] }).interactions : [];
}

export function waitForOpen(server: Reachable, session: string): Promise<Open> {
  return vi.waitFor(
    async () => {
      const [first] = await openIn(server, session);
      if (first === undefined) throw new Error('Nothing is open');
      return first;
    },
    { timeout: 20_000, interval: 5 },
  );
}

export function answer(
  server: Reachable,
  session: string,
  { interactionId }: Open,
  json: JsonObject,
): Promise<JsonObject> {
  const path = `/v1/sessions/${session}/interactions/${interactionId}/answer`;
  return ask(server, { method: 'POST', path, json });
}
