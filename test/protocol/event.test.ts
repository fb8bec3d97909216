/**
 * The shape of the log, and the little of it that an agent may write itself. A bug would look like an
 * approval that an agent appended, or a stored event that no longer reads.
 */
import { describe, expect, it } from 'vitest';
import {
  APPENDABLE,
  AppendedEvent,
  EVENT_TYPES,
  SessionEventSchema,
} from '../../src/protocol/schema/event.ts';

const PAYLOADS: Record<(typeof APPENDABLE)[number], object> = {
  turn_started: { title: 'Cleaning' },
  turn_ended: { reason: 'completed' },
  assistant_text: { text: 'Done.' },
  thinking: { text: 'Hm.' },
  tool_call: { toolName: 'Bash', input: { command: 'ls' } },
  tool_result: { output: [1, null], isError: false },
  error: { message: 'Overloaded', code: 'overloaded' },
};

const appended = (type: string, more: object = {}) => ({
  type,
  turnId: 'turn-1',
  responseId: 'resp-1',
  toolCallId: 'call-1',
  payload: PAYLOADS[type as keyof typeof PAYLOADS] ?? {},
  ...more,
});

describe('events that an agent may append', () => {
  it.each(APPENDABLE)('[LOG-7] %s', (type) => {
    const event = appended(type);
    expect(AppendedEvent.parse(event)).toEqual(event);
    const stored = { seq: 1, at: 0, ...event };
    expect(SessionEventSchema.parse(stored)).toEqual(stored);
  });

  it.each(EVENT_TYPES.filter((type) => !(APPENDABLE as readonly string[]).includes(type)))(
    '[LOG-7] not %s',
    (type) => {
      expect(AppendedEvent.safeParse(appended(type)).success).toBe(false);
    },
  );

  it.each([{ seq: 1 }, { at: 0 }, { by: 'ada' }])(
    "[LOG-7] nothing with %j: that is the server's",
    (more) => {
      expect(AppendedEvent.safeParse(appended('assistant_text', more)).success).toBe(false);
    },
  );

  it('[LOG-7, GATE-4] no call that claims a decision', () => {
    const decided = { behavior: 'allow', by: { mode: 'bypassPermissions' } };
    const payload = { ...PAYLOADS.tool_call, decided };
    expect(AppendedEvent.safeParse(appended('tool_call', { payload })).success).toBe(false);
  });

  it.each(['tool_call', 'tool_result'])('[LOG-7] no %s of no tool call', (type) => {
    const { toolCallId: _, ...event } = appended(type);
    expect(AppendedEvent.safeParse(event).success).toBe(false);
  });

  it('[LOG-1] turnId and responseId may be missing, and are not filled in', () => {
    const event = { type: 'assistant_text', payload: { text: 'Done.' } };
    expect(AppendedEvent.parse(event)).toEqual(event);
  });

  it.each(['turn_started', 'turn_ended'] as const)('[LOG-7] %s needs no payload', (type) => {
    expect(AppendedEvent.parse({ type }).type).toBe(type);
  });
});

describe('the log', () => {
  it('[LOG-2] has these types', () => {
    expect([...EVENT_TYPES].sort()).toEqual(
      [
        'session_started',
        'session_updated',
        'session_status',
        'turn_started',
        'turn_ended',
        'user_message',
        'assistant_text',
        'thinking',
        'tool_call',
        'tool_result',
        'interaction_pending',
        'interaction_request',
        'interaction_update',
        'interaction_response',
        'history_imported',
        'context_cleared',
        'conversation_compacted',
        'conversation_restored',
        'error',
      ].sort(),
    );
  });

  it.each([0, -1, 1.5, '1', undefined])('[LOG-1] has no event number %s', (seq) => {
    const event = { seq, at: 0, type: 'thinking', payload: { text: 'Hm.' } };
    expect(SessionEventSchema.safeParse(event).success).toBe(false);
  });

  it('[LOG-1] checks the payload by the type', () => {
    const event = { seq: 1, at: 0, type: 'thinking', payload: { message: 'Hm.' } };
    expect(SessionEventSchema.safeParse(event).success).toBe(false);
    expect(SessionEventSchema.safeParse({ ...event, type: 'error' }).success).toBe(true);
    expect(SessionEventSchema.safeParse({ ...event, type: 'nonsense' }).success).toBe(false);
  });

  it('[PEND-1] holds for pending the call, the tool, the flag and the interaction', () => {
    const payload = {
      toolCallId: 'call-1',
      toolName: 'Bash',
      pending: true,
      interactionId: 'call-1~1',
    };
    const event = { seq: 1, at: 0, type: 'interaction_pending', payload };
    const says = (more: object) =>
      SessionEventSchema.safeParse({ ...event, payload: { ...payload, ...more } }).success;
    expect(says({})).toBe(true);
    expect(says({ presentation: 'questionnaire' })).toBe(true);
    expect(says({ presentation: 'popup' })).toBe(false);
    expect(says({ pending: 'yes' })).toBe(false);
  });
});
