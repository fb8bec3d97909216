/**
 * What one event of the log says within a run: texts, thoughts, tool calls and their results.
 *
 * The ids of messages follow from the `seq` of their event, so that the same log always gives the same events. Texts are
 * shown as they are stored: AG-UI cannot take a text back, and the preview of an answer that the model begins anew would
 * have to be.
 */
import { describeAttachedFiles } from '../../protocol/describe-attached-files.ts';
import type { EventOf, SessionEvent } from '../../protocol/schema/event.ts';
import type { AguiContent } from './agui-event.ts';

const ID_PREFIX = 'holdpoint-';

/** A message with such an id was read from the log, and is sent back by a client that keeps all messages. */
export function isMessageOfLog(messageId: string): boolean {
  return messageId.startsWith(ID_PREFIX);
}

/** Nothing for an event that is about the course of runs, or about the session. */
export function contentOfEvent(event: SessionEvent): AguiContent[] {
  const messageId = `${ID_PREFIX}${event.seq}`;
  switch (event.type) {
    case 'user_message': {
      const { text, subject, attachments } = event.payload;
      const files = attachments && describeAttachedFiles(attachments);
      const whole = [text, files].filter(Boolean).join('\n\n');
      return textMessage({ messageId, role: 'user', name: subject }, whole);
    }
    case 'assistant_text':
      return textMessage(
        { messageId, role: 'assistant' },
        event.payload.text,
        event.payload.partial,
      );
    case 'thinking':
      return thought(messageId, event.payload.text);
    case 'tool_call':
      return toolCall(event);
    case 'tool_result':
      return toolResult(event, messageId);
    case 'error': {
      const { message, code, by } = event.payload;
      // For an agent elsewhere an error is the end of its turn.
      if (by !== undefined) return [];
      const value = { message, ...(code !== undefined && { code }) };
      return [{ type: 'CUSTOM', name: 'holdpoint.error', value }];
    }
    case 'session_started':
    case 'session_updated':
    case 'session_status':
    case 'turn_started':
    case 'turn_ended':
    case 'interaction_pending':
    case 'interaction_request':
    case 'interaction_update':
    case 'interaction_response':
    case 'history_imported':
    case 'context_cleared':
    case 'conversation_compacted':
    case 'conversation_restored':
      return [];
    default:
      // A new event type must be listed above; one of a newer server comes here.
      event satisfies never;
      return [];
  }
}

interface TextMessage {
  readonly messageId: string;
  readonly role: 'user' | 'assistant';
  readonly name?: string;
}

function textMessage(message: TextMessage, text: string, partial = false): AguiContent[] {
  const { messageId } = message;
  const start: AguiContent = { type: 'TEXT_MESSAGE_START', ...message };
  const cut = partial ? { metadata: { holdpoint: { partial } } } : {};
  const end: AguiContent = { type: 'TEXT_MESSAGE_END', messageId, ...cut };
  if (text === '') return [start, end];
  return [start, { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text }, end];
}

function thought(messageId: string, text: string): AguiContent[] {
  if (text === '') return [];
  return [
    { type: 'REASONING_START', messageId },
    { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
    { type: 'REASONING_MESSAGE_CONTENT', messageId, delta: text },
    { type: 'REASONING_MESSAGE_END', messageId },
    { type: 'REASONING_END', messageId },
  ];
}

function toolCall({ toolCallId, payload }: EventOf<'tool_call'>): AguiContent[] {
  if (toolCallId === undefined) return [];
  return [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName: payload.toolName },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(payload.input) },
    { type: 'TOOL_CALL_END', toolCallId },
  ];
}

function toolResult(
  { toolCallId, payload }: EventOf<'tool_result'>,
  messageId: string,
): AguiContent[] {
  if (toolCallId === undefined) return [];
  const { output = '', isError } = payload;
  const content = typeof output === 'string' ? output : JSON.stringify(output);
  const failed = isError === true ? { metadata: { holdpoint: { isError } } } : {};
  return [{ type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool', ...failed }];
}
