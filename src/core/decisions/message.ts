/** Routes the message of a person, and carries out the route in one commit. */
import { mayAct, settlerOf } from '../../protocol/caller.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { AttachedFile } from '../../protocol/schema/attached-file.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { isAsked } from '../audience.ts';
import { rejectMissingScope } from '../authority.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { findAttachedFiles } from '../find-attached-files.ts';
import { rejectIfLogFull } from '../rejections.ts';
import { draftEvents } from '../session-draft.ts';
import { isBusy, type SessionState } from '../state.ts';
import { routeText } from '../text-routing.ts';
import { applyAnswer } from './answer.ts';
import { cancelInteractions, clearSession } from './cancel.ts';

export function sendMessage(
  state: SessionState,
  command: CommandOf<'message.send'>,
  facts: Facts,
): DecisionResult {
  const canAnswer = mayAct(facts.caller, 'answer');
  const route = routeText(state, facts.kinds, {
    text: command.text,
    now: facts.now,
    canAnswer,
    isAsked: (interaction) => isAsked(facts, interaction),
    ...(command.replyTo !== undefined && { replyTo: { record: facts.record } }),
  });
  if ('ok' in route) return route;
  const ids = command.attachments?.length === 0 ? undefined : command.attachments;
  const isCommand = route.to === 'clear' || route.to === 'cancel';
  if (isCommand && ids !== undefined) return NO_FILES_WITH_A_COMMAND;
  const found = findAttachedFiles(ids, facts);
  if (!found.ok) return found;
  const message = { text: command.text, ...(ids && { attachments: found.value }) };
  switch (route.to) {
    case 'clear':
      return clearSession(state, facts);
    case 'cancel':
      return canAnswer ? cancelInteractions(state, facts) : rejectMissingScope(['answer']);
    case 'interaction':
      return answerByText(state, route, ids, facts);
    case 'queue':
      return queueMessage(state, message, facts);
    case 'turn':
      return isBusy(state)
        ? queueMessage(state, message, facts)
        : (rejectIfLogFull(state, 1) ?? deliverMessage(state, message, facts));
  }
}

interface MessageContent {
  readonly text: string;
  readonly attachments?: AttachedFile[];
}

const NO_FILES_WITH_A_COMMAND = reject(
  'invalid_request',
  'attachments: this text is a command, which takes no files; send them with a message',
);

function answerByText(
  state: SessionState,
  route: { record: NonNullable<Facts['record']>; answer: Parameters<typeof applyAnswer>[2] },
  attachments: string[] | undefined,
  facts: Facts,
): DecisionResult {
  const answer = { ...route.answer, ...(attachments && { attachments }) };
  const decided = applyAnswer(state, route.record, answer, facts, 'text');
  if (!decided.ok) return decided;
  return accept(decided, {
    type: 'answered-by-text',
    interactionId: route.record.interactionId,
    adjust: route.answer.decision === 'adjust',
  });
}

function queueMessage(state: SessionState, content: MessageContent, facts: Facts): DecisionResult {
  const full = rejectIfLogFull(state, 1) ?? rejectIfQueueFull(state, content.text);
  if (full !== undefined) return full;
  const message = {
    id: facts.freshId,
    ...content,
    subject: facts.caller.subject,
    at: facts.now,
  };
  const event: DraftEvent = {
    type: 'session_updated',
    payload: {
      queued: [...state.info.queued, message],
      by: settlerOf(facts.caller),
    },
  };
  return accept(draftEvents(state, [event], facts.now), { type: 'queued', messageId: message.id });
}

function rejectIfQueueFull(state: SessionState, text: string): Rejection | undefined {
  const { queued } = state.info;
  const chars = queued.reduce((sum, message) => sum + message.text.length, text.length);
  const limit =
    queued.length >= LIMITS.queuedMessages
      ? 'queuedMessages'
      : chars > LIMITS.queuedChars
        ? 'queuedChars'
        : undefined;
  if (limit === undefined) return undefined;
  return reject(
    'limit_reached',
    'Too much text is queued for the agent; send more after the agent has received some',
    {
      limit,
      max: LIMITS[limit],
    },
  );
}

function deliverMessage(
  state: SessionState,
  content: MessageContent,
  facts: Facts,
): DecisionResult {
  const messageId = facts.freshId;
  const { subject } = facts.caller;
  const event: DraftEvent = { type: 'user_message', payload: { ...content, subject, messageId } };
  return accept(draftEvents(state, [event], facts.now), { type: 'turn', messageId });
}

/** Removes a queued message before it reaches the agent. */
export function removeMessage(
  state: SessionState,
  { messageId }: CommandOf<'message.remove'>,
  facts: Facts,
): DecisionResult {
  const queued = state.info.queued.filter(({ id }) => id !== messageId);
  if (queued.length === state.info.queued.length) {
    return reject('not_found', 'No such message is waiting; the agent may have it already');
  }
  const by = settlerOf(facts.caller);
  const event: DraftEvent = { type: 'session_updated', payload: { queued, by } };
  return accept(draftEvents(state, [event], facts.now), { type: 'done' });
}
