/** A bug here looks like half a call that runs, or a turn that ends without saying why. */
import { describe, expect, it } from 'vitest';
import { type NextStep, chooseNextStep } from '../../../src/agent/run/model-result.ts';
import type { StopReason } from '../../../src/agent/model.ts';
import { assistant, call, text } from '../conversations.ts';

/** With a call in the answer: only one of the seven may run it. */
const NEXT: Record<StopReason, NextStep> = {
  end_turn: { next: 'end' },
  stop_sequence: { next: 'end' },
  tool_use: { next: 'run_tools' },
  pause_turn: { next: 'call_again', userText: expect.any(String) as string },
  max_tokens: { next: 'end', notice: expect.stringContaining('limit') as string },
  refusal: { next: 'end', notice: expect.stringContaining('declined') as string },
  model_context_window_exceeded: {
    next: 'end',
    notice: expect.stringContaining('too long') as string,
  },
};

describe('[RUN-1, RUN-7] after an answer', () => {
  it.each(Object.entries(NEXT))('that stopped with %s', (reason, expected) => {
    const message = assistant(text('I read'), call('a'));
    expect(chooseNextStep(message, reason as StopReason)).toEqual(expected);
  });

  it('a reason that is not known ends the turn and is named', () => {
    const next = chooseNextStep(assistant(text('a'), call('a')), { unknown: 'too_bright' });
    expect(next).toEqual({ next: 'end', notice: expect.stringContaining('too_bright') as string });
  });

  it('a call that was announced and is not there ends the turn', () => {
    expect(chooseNextStep(assistant(text('a')), 'tool_use')).toMatchObject({ next: 'end' });
  });
});
