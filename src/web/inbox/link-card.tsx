import type { Interaction } from '../../protocol/types.ts';
import { cardKindOf } from '../cards/card-kinds.tsx';
import { CountdownText } from '../cards/parts/countdown.tsx';
import { OutcomeLine } from '../cards/parts/outcome-line.tsx';
import type { ServerClock } from '../clock.ts';
import { Literal } from '../ui/literal.tsx';
import { type Viewer, cardToneOf } from '../model/cards/outcome-words.ts';

interface LinkCardProps {
  readonly record: Interaction;
  readonly clock: ServerClock;
  readonly me: Viewer;
  readonly address: string;
  /** The request is too large for the list. */
  readonly isCut: boolean;
}

/** A plan, a form or a long input: it is answered in its session. */
export function LinkCard({ record, clock, me, address, isCut }: LinkCardProps) {
  const { name, title: Title } = cardKindOf(record);
  const isOpen = record.status === 'open';
  return (
    <section class={`card ${cardToneOf(record, me)} ${record.status}`}>
      <header class="card-head">
        <p class="card-kind">{isCut ? 'Request' : name}</p>
        <h2>{isCut ? <Literal text={record.toolName} /> : <Title record={record} />}</h2>
        {isOpen ? (
          <CountdownText record={record} clock={clock} />
        ) : (
          <OutcomeLine record={record} me={me} />
        )}
      </header>
      {isOpen && (
        <div class="card-body">
          <div class="card-actions">
            <a class="button plain" href={address}>
              Open
            </a>
            {isCut && <span class="card-hint">Too long to show here.</span>}
          </div>
        </div>
      )}
    </section>
  );
}
