/** What happens in the folders that are kept: something of everything that is stored. */
import type { Transport } from '../../src/client/transport.ts';
import type { InteractionRequest } from '../../src/protocol/types.ts';

/** None has a deadline: the folders are opened years later. */
const FOREVER = { timeoutSeconds: null };
const COLORS = [{ label: 'Red' }, { label: 'Blue' }];

const ASKS = {
  approval: (toolCallId: string): InteractionRequest => ({
    kind: 'approval',
    toolName: 'Bash',
    toolCallId,
    input: { command: 'make release' },
    offers: ['once', 'session'],
    ...FOREVER,
  }),
  question: {
    kind: 'question',
    toolName: 'AskUserQuestion',
    toolCallId: 'half-answered',
    questions: ['Which color?', 'And which one beside it?'].map((question) => ({
      header: 'Color',
      question,
      options: COLORS,
    })),
    ...FOREVER,
  },
  form: {
    kind: 'form',
    toolName: 'Deploy',
    toolCallId: 'form',
    title: 'Where to?',
    schema: { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] },
    ...FOREVER,
  },
} as const;

export const KEPT = 'kept';
export const GONE = 'gone';
export const CHAT = 'chat';
/** A repeat of this command must find its first result for a day. */
const APPEND_KEY = 'append-once-and-no-more';

/** Over any transport; what only a server has comes in `playWithAgent`. */
export async function play(transport: Transport): Promise<void> {
  await transport.createSession({ id: KEPT, title: 'Kept', metadata: { ticket: 7 } });
  await transport.appendEvents(
    KEPT,
    [
      { type: 'turn_started', turnId: 't1' },
      { type: 'assistant_text', turnId: 't1', payload: { text: 'I begin. 🙂' } },
    ],
    { idempotencyKey: APPEND_KEY },
  );
  await transport.open(KEPT, ASKS.approval('approved'));
  await transport.answer(KEPT, 'approved~1', {
    decision: 'approve',
    offer: 'session',
    everyCommand: true,
  });
  await transport.open(KEPT, { ...ASKS.approval('replaced'), toolName: 'Deploy' });
  await transport.open(KEPT, {
    ...ASKS.approval('replaced'),
    toolName: 'Deploy',
    input: { to: 'a' },
  });
  // Queued: an approval is open, which no text answers.
  await transport.sendMessage(KEPT, 'After that, tell me.').routed;
  await transport.open(KEPT, ASKS.question);
  await transport.answer(KEPT, 'half-answered~1', { question: 0, option: 1 });
  await transport.open(KEPT, ASKS.form);
  await transport.createSession({ id: GONE });
  await transport.deleteSession(GONE);
}

/** Leaves one file, and a turn in its middle. */
export async function playWithAgent(transport: Transport): Promise<void> {
  const approval = null;
  await transport.createSession({ id: CHAT, agent: {}, timeouts: { approval } });
  for (const [text, isAllowed] of [
    ['write', true],
    ['edit', false],
  ] as const) {
    for await (const event of transport.sendMessage(CHAT, text)) {
      if (event.type !== 'approval_required') continue;
      if (!isAllowed) return;
      await transport.answer(CHAT, event.interactionId, { decision: 'approve' });
    }
  }
}
