/**
 * Who looks at a session just now, from the attachments of its sockets, and when that is worth sending again.
 *
 * Up to `LIMITS.presentPeople` people, each change is. A larger crowd is when its number has changed by about an eighth:
 * otherwise 500 people who come one after another would be sent 125,000 frames.
 */
import { provesPerson } from '../protocol/caller.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Presence } from '../protocol/schema/frame.ts';
import type { Attachment, Looking } from './ports.ts';

const STEP = 9 / 8;

export function presenceOf(attachments: readonly Attachment[]): Presence {
  const people = [...groupByPerson(attachments)].toSorted(
    (one, other) => one.first - other.first || (one.key < other.key ? -1 : 1),
  );
  return {
    people: people
      .slice(0, LIMITS.presentPeople)
      .map(({ subject, verified, latest: { interactionId } }) => ({
        subject,
        verified,
        ...(interactionId !== undefined && { interactionId }),
      })),
    more: Math.max(0, people.length - LIMITS.presentPeople),
  };
}

/** Equal for two lists of which the second need not be sent after the first. */
export function contentToSend(presence: Presence): string {
  if (presence.more === 0) return JSON.stringify(presence.people);
  return `crowd ${Math.floor(Math.log(countOf(presence)) / Math.log(STEP))}`;
}

export function countOf({ people, more }: Presence): number {
  return people.length + more;
}

interface PersonLooking {
  readonly key: string;
  readonly subject: string;
  readonly verified: boolean;
  readonly first: number;
  readonly latest: Looking;
}

/** A person with several tabs looks since the first of them, and at what the latest shows. */
function groupByPerson(attachments: readonly Attachment[]): Iterable<PersonLooking> {
  const people = new Map<string, PersonLooking>();
  for (const attachment of attachments) {
    if (attachment.role !== 'subscriber' || attachment.looking === undefined) continue;
    const { caller, looking } = attachment;
    const { subject } = caller;
    const verified = provesPerson(caller);
    // A key names its tokens as it likes: such a name is never merged with that of a person who proved it.
    const key = JSON.stringify([subject, verified]);
    const known = people.get(key);
    const isLater = known === undefined || looking.changedAt >= known.latest.changedAt;
    people.set(key, {
      key,
      subject,
      verified,
      first: Math.min(looking.since, known?.first ?? looking.since),
      latest: isLater ? looking : known.latest,
    });
  }
  return people.values();
}
