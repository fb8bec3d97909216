/** The input of a run. A bug here looks like an answer that no person gave, or a message that every run sends again. */
import { describe, expect, it } from 'vitest';
import { readAnswers, readNewMessage, RunAgentInput } from '../../../src/http/agui/start-run.ts';

const input = (more: object) => RunAgentInput.parse({ threadId: 's', runId: 'r', ...more });
const resolved = (payload: unknown, interruptId = 'c~1') => ({
  interruptId,
  status: 'resolved',
  payload,
});

function answersOf(...resume: readonly object[]) {
  const answers = readAnswers(input({ resume }));
  if ('ok' in answers) throw new Error(answers.message);
  return answers;
}

describe('answers', () => {
  it.each([
    [{ approved: true }, { decision: 'approve' }],
    [
      { approved: false, reason: 'no' },
      { decision: 'deny', reason: 'no' },
    ],
    [
      { approved: true, editedArgs: { a: 1 }, inputDigest: 'd' },
      { decision: 'approve', updatedInput: { a: 1 }, inputDigest: 'd' },
    ],
    [
      { approved: true, choice: 'always' },
      { decision: 'approve', choice: 'always' },
    ],
    [{ decision: 'approve' }, { decision: 'approve' }],
    [{ answers: { '0': 'Red' } }, { answers: { '0': 'Red' } }],
    [{ values: { host: 'a' } }, { values: { host: 'a' } }],
  ])('[AGUI-2] %j is the answer %j', (payload, answer) => {
    expect(answersOf(resolved(payload))).toMatchObject([
      {
        interruptId: 'c~1',
        command: { type: 'interaction.answer', target: { interactionId: 'c~1' }, answer },
      },
    ]);
  });

  it('[AGUI-2] abandoned, are cancellations with their reason', () => {
    const cancelled = { interruptId: 'c~1', status: 'cancelled' };
    expect(
      answersOf(cancelled, { ...cancelled, interruptId: 'd~1', payload: { reason: 'later' } }),
    ).toMatchObject([
      { command: { type: 'interaction.cancel', interactionId: 'c~1' } },
      { command: { type: 'interaction.cancel', interactionId: 'd~1', reason: 'later' } },
    ]);
  });

  it.each([
    [undefined],
    [null],
    ['approve'],
    [true],
    [[{ approved: true }]],
    [{ approved: 'yes' }],
    [{ approved: 1 }],
    [{ approved: null }],
    [{ approved: true, decision: 'deny' }],
    [{ question: 0, option: 1 }],
  ])('[AGUI-2] %j is no answer, and no other entry counts', (payload) => {
    const read = readAnswers(
      input({ resume: [resolved({ approved: true }), resolved(payload, 'd~1')] }),
    );
    expect(read).toMatchObject({ ok: false, code: 'invalid_request' });
  });

  it('[AGUI-2] have one key for the same answer in every run, and others for other answers', () => {
    const keys = [
      ...answersOf(resolved({ approved: true })),
      ...answersOf(resolved({ approved: true })),
      ...answersOf(resolved({ approved: false })),
      ...answersOf(resolved({ approved: true }, 'd~1')),
    ].map(({ idempotency }) => idempotency.key);
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(3);
  });

  it.each([
    [{ resume: [resolved({ approved: true }), resolved({ approved: false })] }],
    [{ resume: [{ ...resolved({}), interruptId: 'c' }] }],
    [{ resume: [{ ...resolved({}), status: 'approved' }] }],
    [{ resume: Array.from({ length: 65 }, (_, at) => resolved({}, `c~${at + 1}`)) }],
  ])('[AGUI-2] malformed are refused: %#', (more) => {
    expect(RunAgentInput.safeParse({ threadId: 's', runId: 'r', ...more }).success).toBe(false);
  });
});

describe('the message', () => {
  const said = (content: unknown, more: object = {}) =>
    readNewMessage(input({ messages: [{ id: 'm-1', role: 'user', content, ...more }] }));

  it('[AGUI-2] is the last one of the user, and has one key in every run', () => {
    const first = said('Hello');
    expect(first).toMatchObject({ command: { type: 'message.send', text: 'Hello' } });
    expect(said('Hello')).toEqual(first);
    expect(
      said([
        { type: 'text', text: 'Hel' },
        { type: 'text', text: 'lo' },
      ]),
    ).toMatchObject({
      command: { text: 'Hel\nlo' },
    });
  });

  it('[AGUI-2] is absent if the last message is not of the user, or is in the log', () => {
    const messages = [
      { id: 'm-1', role: 'user', content: 'Hello' },
      { id: 'm-2', role: 'assistant', content: 'Hi' },
    ];
    expect(readNewMessage(input({ messages }))).toBeUndefined();
    expect(readNewMessage(input({}))).toBeUndefined();
    expect(said('Hello', { id: 'holdpoint-7' })).toBeUndefined();
  });

  it.each([
    [''],
    [' \n'],
    ['x'.repeat(32_769)],
    [undefined],
    [7],
    [[{ type: 'image', source: {} }]],
  ])('[AGUI-2] is refused where it cannot be sent: %#', (content) => {
    expect(said(content)).toMatchObject({ ok: false, code: 'invalid_request' });
  });
});
