/** A model that fails and is called again. A bug looks like a conversation that is stuck. */
import { expect } from 'vitest';
import { startMessagesApi } from '../support/messages-api/messages-api.ts';
import { answer, refusal } from '../support/messages-api/reply.ts';
import { newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

story('a failed turn is retried and continues', { timeout: 120_000 }, async () => {
  const model = await startMessagesApi([
    refusal(400, 'invalid_request_error', 'Your credit balance is too low.'),
    answer([{ type: 'text', text: 'Now it works.' }]),
  ]);
  const holdpoint = await startHoldpoint({
    ANTHROPIC_API_KEY: 'no-key',
    ANTHROPIC_BASE_URL: model.url,
  });
  try {
    const person = await newPerson();
    await person.opens(holdpoint.link);
    await person.sees('It asks before it acts.');
    await checkPage(person, 'the first screen with a model');
    await person.writes('First message', 'Good morning');
    await person.presses('Send');
    await person.sees(/credit balance is too low/);
    await checkPage(person, 'a turn that failed');
    await person.presses('Try again');
    await person.sees('Now it works.');
    await person.sees('Idle');
    expect(model.received.map(({ problem }) => problem)).toEqual([undefined, undefined]);
    await leavesWithoutProblems(person);
  } finally {
    await Promise.all([holdpoint.stop(), model.stop()]);
  }
});
