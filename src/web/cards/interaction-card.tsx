import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../client/words.ts';
import type { Clock } from '../clock.ts';
import { JsonView } from '../components/json-view.tsx';

export interface InteractionCardProps {
  readonly interaction: Interaction;
  readonly session: { readonly id: string; readonly title: string | null };
  readonly transport: Transport;
  readonly clock: Clock;
  /** False without the scope `answer`: it is shown and cannot be answered (UI-12). */
  readonly canAnswer: boolean;
  /** False while the connection is lost and what is shown may be old. */
  readonly isAnswerable?: boolean;
  readonly onSettled?: (interaction: Interaction) => void;
}

/** What a person is asked, open or settled. */
export function InteractionCard({ interaction }: InteractionCardProps) {
  const { toolName, request, status, outcome } = interaction;
  return (
    <section class="card" aria-label={toolName}>
      <p>
        {toolName}: {status === 'open' ? 'Waiting for you' : outcome}
      </p>
      <JsonView value={request} label={`Request of ${toolName}`} />
    </section>
  );
}
