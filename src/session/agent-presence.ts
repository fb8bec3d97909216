/**
 * Tells the subscribers of a session what the log lacks of its agents: whether one waits for an open interaction, and when one
 * could have the outcome of a settled one (PRES-6).
 *
 * 1. A welcome has the present state, so a frame is sent for a change alone, to those who were sent their welcome.
 * 2. An agent that stops waiting is reported a moment later: a long poll ends and comes again, and a call that becomes a
 *    connection is neither for an instant.
 * 3. It is kept in memory. What was sent before the session left memory is unknown then, and the next change of that
 *    interaction is sent even if it is none.
 */
import type { AgentState } from '../protocol/schema/frame.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import { agentsFrame } from './frames-out.ts';
import type { Attachment } from './ports.ts';
import { isAwaitedBy } from './subscribers.ts';

/** Longer than an agent takes from the end of a poll to the next. */
const LEFT_MS = 1_000;

interface AgentPresencePorts {
  readonly open: () => Iterable<Interaction>;
  readonly isAgentWaiting: (interaction: Interaction) => boolean;
  readonly hasSubscribers: () => boolean;
  readonly send: (frame: string) => void;
  readonly later: (ms: number, work: () => void) => void;
}

export class AgentPresence {
  readonly #ports: AgentPresencePorts;
  /** What the subscribers know of each open interaction. */
  readonly #sent = new Map<string, boolean>();
  #left: Attachment[] = [];

  constructor(ports: AgentPresencePorts) {
    this.#ports = ports;
  }

  /** This connection is among the sockets of the session. */
  join(attachment: Attachment): void {
    if (this.#ports.hasSubscribers()) this.#look([attachment]);
  }

  /** This connection is gone. */
  leave(attachment: Attachment): void {
    if (!this.#ports.hasSubscribers()) return;
    for (const { interactionId } of this.#awaitedBy([attachment]))
      if (!this.#sent.has(interactionId)) this.#sent.set(interactionId, true);
    this.#left.push(attachment);
    if (this.#left.length > 1) return;
    this.#ports.later(LEFT_MS, () => {
      const left = this.#left;
      this.#left = [];
      this.#look(left);
    });
  }

  /** Called with the records of each commit, after its events were sent. */
  note(records: readonly Interaction[]): void {
    if (!this.#ports.hasSubscribers()) return;
    const changes = records.flatMap((record) => {
      if (record.status === 'settled') return this.#settle(record);
      const isNews = !this.#sent.has(record.interactionId);
      return isNews ? this.#changeOf(record, this.#ports.isAgentWaiting(record)) : [];
    });
    this.#send(changes);
  }

  /** An agent has read this outcome, or could have. */
  noteRead(interactionId: string, read: Pick<AgentState, 'deliveredAt' | 'shownAt'>): void {
    if (this.#ports.hasSubscribers()) this.#send([{ interactionId, ...read }]);
  }

  #look(attachments: readonly Attachment[]): void {
    this.#send(
      this.#awaitedBy(attachments).flatMap((one) => {
        const isWaiting = this.#ports.isAgentWaiting(one);
        return this.#sent.get(one.interactionId) === isWaiting
          ? []
          : this.#changeOf(one, isWaiting, true);
      }),
    );
  }

  #awaitedBy(attachments: readonly Attachment[]): Interaction[] {
    return [...this.#ports.open()].filter((one) =>
      attachments.some((attachment) => isAwaitedBy(attachment, one)),
    );
  }

  /** A new interaction that no agent waits for is not worth a frame: the agent may come in a moment. */
  #changeOf({ interactionId }: Interaction, agentWaiting: boolean, isChange = false): AgentState[] {
    if (!agentWaiting && !isChange) return [];
    this.#sent.set(interactionId, agentWaiting);
    return [{ interactionId, agentWaiting }];
  }

  #settle({ interactionId, deliveredAt, shownAt }: Interaction): AgentState[] {
    this.#sent.delete(interactionId);
    if (deliveredAt === undefined && shownAt === undefined) return [];
    return [
      {
        interactionId,
        ...(deliveredAt !== undefined && { deliveredAt }),
        ...(shownAt !== undefined && { shownAt }),
      },
    ];
  }

  #send(interactions: readonly AgentState[]): void {
    if (interactions.length > 0) this.#ports.send(agentsFrame(interactions));
  }
}
