/** A card as the product draws it: over real sessions, with an agent that asks and a person who answers. */
import type { Interaction, InteractionRequest } from '../../../src/protocol/types.ts';
import { InteractionCard } from '../../../src/web/cards/interaction-card.tsx';
import { fetchLaterParts } from '../../../src/web/hooks/use-later-parts.ts';
import type { InteractionCardProps } from '../../../src/web/cards/card-props.ts';
import type { KeyValueStore } from '../../../src/web/model/key-value-store.ts';
import { armed } from '../../support/web/armed.ts';
import { type HandClock, handClock } from '../../support/web/hand-clock.ts';
import { ADA } from '../../support/web/person.ts';
import { mount } from '../../support/web/mount.ts';
import { type InPageServer, startInPageServer } from '../../support/web/in-page-server.ts';

await fetchLaterParts();

export interface ShownCard {
  readonly server: InPageServer;
  readonly clock: HandClock;
  readonly element: HTMLElement;
  readonly sessionId: string;
  readonly opened: Interaction;
  readonly store: KeyValueStore;
  /** Draws the current record, or the given one. */
  now(): Promise<Interaction>;
  show(record?: Interaction, more?: Partial<InteractionCardProps>): Promise<void>;
  /** Draws the card as a freshly opened page does. */
  reload(): Promise<void>;
  /** Advances the clock until Approve works. */
  arm(): Promise<void>;
}

export function memoryKeep(): KeyValueStore {
  const kept = new Map<string, string>();
  return {
    get: (name) => kept.get(name),
    set: (name, value) => kept.set(name, value),
    remove: (name) => kept.delete(name),
  };
}

interface Options extends Partial<InteractionCardProps> {
  readonly server?: InPageServer;
}

export async function askCard(
  request: Partial<InteractionRequest> & { readonly kind: string },
  { server: given, ...props }: Options = {},
): Promise<ShownCard> {
  const made = given ?? startInPageServer();
  const { id, title } = await made.owner.createSession({ title: 'Deploy' });
  const result = await made.agent.open(id, { toolName: 'Bash', toolCallId: 'call-1', ...request });
  if (result.type !== 'interaction') throw new Error('It was decided without asking');
  const opened = result.interaction;
  const clock = handClock();
  const store = props.store ?? memoryKeep();
  const card = (interaction: Interaction, more: Partial<InteractionCardProps> = {}) => (
    <main>
      <InteractionCard
        interaction={interaction}
        session={{ id, title }}
        transport={made.person}
        clock={clock}
        me={ADA}
        canAnswer
        store={store}
        {...props}
        {...more}
      />
    </main>
  );
  const { element, show } = mount(card(opened));
  const now = () => made.person.interaction(id, opened.interactionId);
  return {
    server: made,
    clock,
    element,
    sessionId: id,
    opened,
    store,
    now,
    show: async (record, more) => show(card(record ?? (await now()), more)),
    async reload() {
      show(null);
      show(card(await now()));
    },
    arm: () => armed(element, clock),
  };
}
