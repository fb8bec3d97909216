import type { Interaction } from '../../protocol/types.ts';
import type { Addressee } from '../model/addressee.ts';

interface AddresseeLineProps {
  readonly addressee: Addressee;
  /** The prompt of an interaction, in few words. */
  readonly asks: (interaction: Interaction) => string;
  readonly chosen: string | undefined;
  readonly onChoose: (interactionId: string | undefined) => void;
}

/** Says where the text of the composer goes (UI-7). It keeps its height while it is empty. */
export function AddresseeLine({ addressee, asks, chosen, onChoose }: AddresseeLineProps) {
  if (addressee.to === 'choose') {
    return (
      <label class="addressee asks">
        <span id="addressee">Answer to</span>
        <select
          value={chosen ?? ''}
          onChange={(event) => onChoose(event.currentTarget.value || undefined)}
        >
          <option value="">Select a request…</option>
          {addressee.candidates.map((one) => (
            <option key={one.interactionId} value={one.interactionId}>
              {asks(one)}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <p class={`addressee${addressee.to === 'interaction' ? ' asks' : ''}`} id="addressee">
      {addresseeText(addressee, asks)}
    </p>
  );
}

function addresseeText(
  addressee: Exclude<Addressee, { to: 'choose' }>,
  asks: AddresseeLineProps['asks'],
): string {
  switch (addressee.to) {
    case 'agent':
      return 'To the agent';
    case 'command':
      return addressee.command === '/clear'
        ? 'Clears the context: the agent forgets this conversation'
        : 'Cancels every open request';
    case 'queue':
      return addressee.behind === 'turn'
        ? 'Queued until the agent is done'
        : 'Queued until you decide above';
    case 'unsure':
      return `Answers “${asks(addressee.interaction)}” if it accepts text; otherwise queued`;
    case 'interaction':
      return addressee.interaction.kind === 'plan_review'
        ? 'Sends feedback on the plan'
        : `Answering “${asks(addressee.interaction)}”`;
  }
}
