/** The interactions that the suite opens, and its check of a refusal. */
import { expect } from 'vitest';
import { ClientError } from '../../../src/client/errors.ts';
import type { Transport } from '../../../src/client/transport.ts';
import type { Interaction, InteractionRequest } from '../../../src/protocol/types.ts';
import { COLOR, PORT, SIZES } from '../../support/asks.ts';

let made = 0;

/** A session of its own for one test. */
export async function begin(transport: Transport): Promise<string> {
  made += 1;
  const session = await transport.createSession({ id: `contract-${made}-${Date.now()}` });
  return session.id;
}

export const approval = (toolCallId = 'call-1'): InteractionRequest => ({
  kind: 'approval',
  toolName: 'Bash',
  toolCallId,
  input: { command: 'rm -rf build' },
});
export const question = (toolCallId = 'call-1', questions = [COLOR]): InteractionRequest => ({
  kind: 'question',
  toolName: 'AskUserQuestion',
  toolCallId,
  questions,
});
export const twoQuestions = (toolCallId = 'call-1') => question(toolCallId, [COLOR, SIZES]);
export const plan = (toolCallId = 'call-1'): InteractionRequest => ({
  kind: 'plan_review',
  toolName: 'ExitPlanMode',
  toolCallId,
  plan: '1. Look\n2. Leap',
});
export const form = (toolCallId = 'call-1'): InteractionRequest => ({
  kind: 'form',
  toolName: 'collect',
  toolCallId,
  schema: PORT,
});

export async function opened(
  agent: Transport,
  sessionId: string,
  request: InteractionRequest,
): Promise<Interaction> {
  const result = await agent.open(sessionId, request);
  if (result.type !== 'interaction') throw new Error('It was decided without asking');
  return result.interaction;
}

async function refusal(promise: Promise<unknown>): Promise<ClientError> {
  const value = await promise.then(
    (resolved) => new Error(`Not refused: ${JSON.stringify(resolved)}`),
    (cause: unknown) => cause,
  );
  expect(value).toBeInstanceOf(ClientError);
  return value as ClientError;
}

export async function expectRefused(
  promise: Promise<unknown>,
  code: ClientError['code'],
): Promise<ClientError> {
  const error = await refusal(promise);
  expect(error.code, error.message).toBe(code);
  return error;
}

export const UNKNOWN = 'no-such-session';
