/** The questions of the tests of sessions in a process, and how they read a refusal. */
import { expect } from 'vitest';
import { ClientError } from '../../../src/client/errors.ts';
import type { Transport } from '../../../src/client/transport.ts';
import type { Interaction, InteractionRequest } from '../../../src/protocol/types.ts';

export function approval(toolCallId = 'call-1', more: object = {}): InteractionRequest {
  const input = { command: 'rm -rf build' };
  return { kind: 'approval', toolName: 'Bash', toolCallId, input, ...more };
}

export async function ask(
  transport: Transport,
  sessionId: string,
  request: InteractionRequest = approval(),
): Promise<Interaction> {
  const opened = await transport.open(sessionId, request);
  if (opened.type !== 'interaction') throw new Error('It was decided without asking');
  return opened.interaction;
}

export async function refusal(work: Promise<unknown>): Promise<ClientError> {
  const cause: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(cause).toBeInstanceOf(ClientError);
  return cause as ClientError;
}
