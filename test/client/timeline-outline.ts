/** A timeline written down as a person would: one line a turn, its containers in brackets. */
import {
  type Block,
  emptyTimeline,
  foldEvents,
  type Timeline,
  type ToolCallState,
} from '../../src/client/timeline/index.ts';
import type { DraftEvent } from '../../src/protocol/schema/event.ts';
import { logOf } from './client-events.ts';

export const fold = (...drafts: readonly DraftEvent[]) =>
  foldEvents(emptyTimeline(), logOf(...drafts));

function shown(block: Block): string {
  switch (block.type) {
    case 'tool': {
      const steps = block.steps.map(({ outcome }) => outcome ?? 'open');
      const asked = steps.length > 0 ? `(${steps.join(', ')})` : '';
      return `${block.isPlaceholder ? '?' : ''}${block.call.toolCallId}${asked}`;
    }
    case 'group':
      return `{${block.tools.map(shown).join(' ')}}`;
    case 'questionnaire':
      return `ask ${block.step.interactionId}(${block.step.outcome ?? 'open'})`;
    case 'text':
      return block.isStreaming === true ? `"${block.text}…"` : `"${block.text}"`;
    case 'user':
      return `user "${block.event.payload.text}"`;
    case 'notice':
      return block.event.type;
    case 'unknown':
      return `unknown ${block.event.type}`;
    default:
      return block.type;
  }
}

export function outline({ turns }: Timeline): string[] {
  return turns.map(({ id, containers }) => {
    const inside = containers.map(({ blocks }) => `[${blocks.map(shown).join(' ')}]`);
    return `${id}: ${inside.join(' ')}`;
  });
}

export function blocksOf({ turns }: Timeline): Block[] {
  return turns.flatMap((turn) => turn.containers.flatMap((one) => one.blocks));
}

export function callOf(timeline: Timeline, toolCallId = 'a'): ToolCallState | undefined {
  const states = blocksOf(timeline).flatMap((block) => {
    if (block.type === 'group') return block.tools.map((tool) => tool.call);
    return block.type === 'tool' || block.type === 'questionnaire' ? [block.call] : [];
  });
  return states.find((call) => call.toolCallId === toolCallId);
}

export const r1 = { responseId: 'r1' };

export const by = (credential: string) => ({ by: { credential, subject: credential } });
