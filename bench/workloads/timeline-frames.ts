/**
 * A log as a client receives it in a replay: the texts of `events` frames, identical in every run.
 *
 * Turns of two responses each: thinking, text, three tool calls with their results, every other turn
 * with an approval, every fifth with a question. About 300 bytes an event.
 */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { DraftEvent } from '../../src/protocol/schema/event.ts';

const EVENTS_PER_FRAME = 400;
const START = 1_800_000_000_000;
const PROSE = 'The build folder is older than the sources, so I will look at what changed since. ';

export function timelineFrames(count: number): readonly string[] {
  const events: SessionEvent[] = [];
  for (let turn = 1; events.length < count; turn += 1) {
    for (const draft of turnOf(turn)) {
      const seq = events.length + 1;
      if (seq <= count) events.push({ seq, at: START + seq * 250, ...draft });
    }
  }
  const frames: string[] = [];
  for (let at = 0; at < count; at += EVENTS_PER_FRAME) {
    frames.push(
      JSON.stringify({ type: 'events', events: events.slice(at, at + EVENTS_PER_FRAME) }),
    );
  }
  return frames;
}

function turnOf(number: number): readonly DraftEvent[] {
  const turnId = `turn_${number}`;
  const user: DraftEvent = {
    type: 'user_message',
    payload: { text: `${number}: ${PROSE}`, subject: 'mia', messageId: `message_${number}` },
  };
  return [
    user,
    { type: 'turn_started', turnId, payload: {} },
    ...responseOf(turnId, `${number}_a`, number % 2 === 0 ? approvalOf : undefined),
    ...responseOf(turnId, `${number}_b`, number % 5 === 0 ? questionOf : undefined),
    { type: 'turn_ended', turnId, payload: { reason: 'completed' } },
  ];
}

type Envelope = Readonly<Record<'turnId' | 'responseId' | 'toolCallId', string>>;

function responseOf(
  turnId: string,
  name: string,
  asked?: (at: Envelope) => readonly DraftEvent[],
): readonly DraftEvent[] {
  const responseId = `response_${name}`;
  const calls = [1, 2, 3].map(
    (n): Envelope => ({ turnId, responseId, toolCallId: `${name}_${n}` }),
  );
  const [first] = calls;
  return [
    { type: 'thinking', turnId, responseId, payload: { text: PROSE.repeat(2) } },
    { type: 'assistant_text', turnId, responseId, payload: { text: PROSE.repeat(3) } },
    ...calls.map((at): DraftEvent => {
      const input = { command: `grep -rn "build" src/${name}`, description: PROSE };
      return { type: 'tool_call', ...at, payload: { toolName: 'Bash', input } };
    }),
    ...(first === undefined || asked === undefined ? [] : asked(first)),
    ...calls.map((at): DraftEvent => {
      return { type: 'tool_result', ...at, payload: { output: PROSE.repeat(2), isError: false } };
    }),
  ];
}

const DIGEST = '84a89f53a0d994a7c51dd5141ec49be1756075a9515cf9023dc07d204cf4e8a6';
const BY = { subject: 'mia', via: 'web' } as const;

function approvalOf(at: Envelope): readonly DraftEvent[] {
  const request = { input: { command: 'rm -rf build' }, offers: ['once', 'session'] };
  return stepOf(at, 'approval', request, { action: 'approve', outcome: 'approved' });
}

function questionOf(at: Envelope): readonly DraftEvent[] {
  const options = ['Red', 'Green'].map((label) => ({ label, description: PROSE }));
  const question = { header: 'Color', question: 'Which color?', options, multiSelect: false };
  const answers = { '0': 'Red' };
  return stepOf(
    at,
    'question',
    { questions: [question] },
    { action: 'submit', outcome: 'answered', answers },
  );
}

function stepOf(
  at: Envelope,
  kind: 'approval' | 'question',
  request: Extract<DraftEvent, { type: 'interaction_request' }>['payload']['request'],
  said: Pick<
    Extract<DraftEvent, { type: 'interaction_response' }>['payload'],
    'action' | 'outcome' | 'answers'
  >,
): readonly DraftEvent[] {
  const { toolCallId } = at;
  const presentation = kind === 'approval' ? 'tool' : 'questionnaire';
  const about = { interactionId: `${toolCallId}~1`, toolCallId, toolName: 'Bash' };
  const pending = { ...about, presentation } as const;
  return [
    { type: 'interaction_pending', ...at, payload: { ...pending, pending: true } },
    {
      type: 'interaction_request',
      ...at,
      payload: {
        ...pending,
        kind,
        request,
        requestDigest: DIGEST,
        inputDigest: DIGEST,
        openedAt: START,
        openedBy: { credential: 'key_1', subject: 'agent' },
        expiresAt: START + 600_000,
        timeoutMs: 600_000,
        onExpire: 'deny',
      },
    },
    {
      type: 'interaction_response',
      ...at,
      payload: { ...about, kind, ...said, settledBy: BY, settledAt: START, inputDigest: DIGEST },
    },
    { type: 'interaction_pending', ...at, payload: { ...pending, pending: false } },
  ];
}
