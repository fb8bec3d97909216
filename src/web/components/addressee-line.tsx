import { type Addressee, askedBy } from '../model/composer.ts';
import { honestProse } from '../model/escapes.ts';

interface Props {
  readonly addressee: Addressee;
  readonly chosen: string | undefined;
  readonly onChoose: (interactionId: string | undefined) => void;
}

/** Whom the text in the composer will reach (UI-7). Its room is there even when it says nothing. */
export function AddresseeLine({ addressee, chosen, onChoose }: Props) {
  if (addressee.to === 'choose') {
    return (
      <label class="addressee asks">
        <span id="addressee">Your text answers</span>
        <select
          value={chosen ?? ''}
          onChange={(event) => onChoose(event.currentTarget.value || undefined)}
        >
          <option value="">choose which…</option>
          {addressee.candidates.map((one) => (
            <option key={one.interactionId} value={one.interactionId}>
              {honestProse(askedBy(one))}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <p class={`addressee${addressee.to === 'interaction' ? ' asks' : ''}`} id="addressee">
      {words(addressee)}
    </p>
  );
}

function words(addressee: Exclude<Addressee, { to: 'choose' }>): string {
  switch (addressee.to) {
    case 'agent':
      return 'To the agent';
    case 'command':
      return addressee.command === '/clear'
        ? 'Clears the context: the agent forgets this conversation'
        : 'Cancels everything that waits for you';
    case 'queue':
      return addressee.behind === 'turn'
        ? 'To the agent, when it is done'
        : 'To the agent, once you have decided';
    case 'unsure':
      return `Answers “${honestProse(askedBy(addressee.interaction))}” if it takes text; else it waits`;
    case 'interaction':
      return addressee.interaction.kind === 'plan_review'
        ? 'Sends the plan back with your feedback'
        : `Answers: ${honestProse(askedBy(addressee.interaction))}`;
  }
}
