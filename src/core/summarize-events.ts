/** What the list of sessions shows of a stretch of a log: the last line, and who works there. */
import { oneLine } from '../protocol/one-line.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { SessionAbout } from '../protocol/schema/workspace.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { SessionState } from './state.ts';

/** Fields that this stretch says nothing about are left out. */
export function summarizeEvents(
  { info }: Pick<SessionState, 'info'>,
  events: readonly SessionEvent[],
): SessionAbout {
  const about: { -readonly [K in keyof SessionAbout]: SessionAbout[K] } = {};
  const last = events.at(-1);
  if (last !== undefined) about.lastAt = last.at;
  const line = events.findLast((event) => summaryLineOf(event) !== undefined);
  if (line !== undefined) about.lastLine = oneLine(summaryLineOf(line) ?? '', LIMITS.lastLineChars);
  const agent = agentOf(info, events);
  if (agent !== undefined) about.agent = agent;
  return about;
}

function summaryLineOf(event: SessionEvent): string | undefined {
  const text = summaryText(event)?.trim();
  return text === '' ? undefined : text;
}

function summaryText({ type, payload }: SessionEvent): string | undefined {
  switch (type) {
    case 'user_message':
    case 'assistant_text':
      return payload.text;
    case 'error':
      return payload.message;
    case 'interaction_request':
      return typeof payload.request['description'] === 'string'
        ? `${payload.toolName}: ${payload.request['description']}`
        : payload.toolName;
    default:
      return undefined;
  }
}

function agentOf(
  info: SessionState['info'],
  events: readonly SessionEvent[],
): SessionAbout['agent'] {
  if (info.agent !== null) return { type: 'built-in', name: info.agent.model ?? '' };
  const cli = info.cliSessions?.at(-1);
  if (cli !== undefined) return { type: 'cli', name: cli.provider };
  const asked = events.findLast((event) => event.type === 'interaction_request');
  if (asked !== undefined) return { type: 'client', name: asked.payload.openedBy.subject };
  const began = events.find((event) => event.type === 'session_started');
  return began && { type: 'client', name: began.payload.createdBy.subject };
}
