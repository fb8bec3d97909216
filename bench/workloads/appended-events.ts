import type { HttpConnection } from '../client/http-connection.ts';

/** Events with which an agent reports its work: each is about 300 bytes as stored. */
function appendedEvents(count: number, first: number) {
  return Array.from({ length: count }, (_, n) => ({
    type: 'assistant_text',
    turnId: 'turn-1',
    payload: { text: `${first + n}: ${'The build folder is older than the sources. '.repeat(5)}` },
  }));
}

export async function append(
  agent: HttpConnection,
  session: string,
  count: number,
  first: number,
): Promise<void> {
  const body = { events: appendedEvents(count, first) };
  await agent.json('POST', `/v1/sessions/${session}/events`, 201, { body });
}
