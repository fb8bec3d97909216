/** A session as its people see it: the open interactions, from one live stream alone. */
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';

export interface SeenInteraction {
  readonly id: string;
  readonly toolCallId: string;
  readonly kind: string;
  readonly toolName: string;
  readonly questions: number;
  readonly offers: boolean;
  current: number;
}

export class SeenSession {
  readonly open = new Map<string, SeenInteraction>();
  readonly rules = new Set<string>();
  turnId: string | undefined;
  /** The most recently settled interactions, for clients that answer too late. */
  readonly settled: string[] = [];

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'interaction_request': {
        const { interactionId: id, toolCallId, kind, toolName, request } = event.payload;
        const questions = Array.isArray(request.questions) ? request.questions.length : 0;
        const offers = Array.isArray(request.offers);
        this.open.set(id, { id, toolCallId, kind, toolName, questions, offers, current: 0 });
        return;
      }
      case 'interaction_update': {
        const seen = this.open.get(event.payload.interactionId);
        if (seen !== undefined) seen.current = event.payload.current ?? seen.current;
        return;
      }
      case 'interaction_response':
        this.open.delete(event.payload.interactionId);
        this.settled.push(event.payload.interactionId);
        if (this.settled.length > 20) this.settled.shift();
        return;
      case 'session_updated': {
        const { ruleAdded, ruleRevoked } = event.payload;
        if (ruleAdded !== undefined) this.rules.add(ruleAdded.id);
        if (ruleRevoked !== undefined) this.rules.delete(ruleRevoked);
        return;
      }
      case 'turn_started':
        this.turnId = event.turnId;
        return;
      case 'turn_ended':
        this.turnId = undefined;
        return;
      default:
    }
  }
}
