/** The record a command names: by its id, or as the latest of its tool call. */
import type { Command } from '../protocol/command.ts';
import { parseInteractionId } from '../protocol/ids.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { SessionStore } from './ports.ts';

export function recordById(store: SessionStore, interactionId: string): Interaction | undefined {
  const id = parseInteractionId(interactionId);
  return id && store.record(id.toolCallId, id.step);
}

export function recordFor(store: SessionStore, command: Command): Interaction | undefined {
  switch (command.type) {
    case 'interaction.open':
      return command.common.toolCallId === undefined
        ? undefined
        : store.latestRecord(command.common.toolCallId);
    case 'interaction.answer':
      return 'interactionId' in command.target
        ? recordById(store, command.target.interactionId)
        : store.latestRecord(command.target.toolCallId);
    case 'interaction.cancel':
    case 'interaction.extend':
      return recordById(store, command.interactionId);
    case 'message.send':
      return command.replyTo === undefined ? undefined : recordById(store, command.replyTo);
    default:
      return undefined;
  }
}
