/** A real question that tries the way to a person: taken back at once, or answered (`holdpoint doctor --ask`, `--answer`). */
import { EnsuredSession, waitForInteraction } from '../client/agent/ask-until-settled.ts';
import { freshKey } from '../client/requests/http-calls.ts';
import type { InteractionRequest } from '../protocol/types.ts';
import type { CliCall } from './cli-command.ts';
import { CliError } from './exit-code.ts';
import { agentAccess, transportOf } from './server-access.ts';

/** One session for all tries, so that they do not fill the list. */
const SESSION = { session: 'doctor', title: 'holdpoint doctor' };
const ANSWER_SECONDS = 600;
const BACKOFF = { baseMs: 500, capMs: 15_000 };

export async function tryQuestion(call: CliCall, isAnswered: boolean): Promise<string> {
  const transport = transportOf(await agentAccess(call), call.terminal);
  const session = new EnsuredSession(transport, SESSION);
  const stop = new AbortController();
  const release = call.terminal.onInterrupt(() => stop.abort());
  try {
    const request = {
      kind: 'question',
      toolName: 'holdpoint doctor',
      toolCallId: `doctor-${freshKey()}`,
      timeoutSeconds: ANSWER_SECONDS,
      questions: [
        {
          header: 'Test',
          question: 'Does this question reach you?',
          options: [{ label: 'Yes' }, { label: 'Not as it should' }],
        },
      ],
    } as InteractionRequest;
    const opened = await session.open(request, { idempotencyKey: freshKey() });
    if (opened.type !== 'interaction')
      throw new CliError('The server answered the test by itself.');
    const { interactionId } = opened.interaction;
    if (!isAnswered) {
      await transport.cancel(SESSION.session, interactionId, 'A test of holdpoint doctor');
      return `asked and took back ${SESSION.session}/${interactionId}`;
    }
    call.err.print(`Answer ${SESSION.session}/${interactionId}, in the chat or from a terminal.`);
    const limits = { timing: BACKOFF, onRetry: undefined, giveUpAfterMs: 30_000 };
    const ask = { ...limits, transport, session, waitAtMostMs: ANSWER_SECONDS * 1_000 };
    const signal = stop.signal;
    const ended = await waitForInteraction({ ...ask, signal, onOpened: undefined }, interactionId);
    if (ended.outcome !== 'answered') throw new CliError(`The question was ${ended.outcome}.`);
    return `answered by ${ended.settledBy?.subject} (${ended.settledBy?.via})`;
  } finally {
    release();
    transport.close();
  }
}
