import type { Interaction } from '../../../protocol/types.ts';
import { useLaterParts } from '../../hooks/use-later-parts.ts';

interface Props {
  readonly from: Interaction;
  readonly record: Interaction;
}

/** Said where the agent swapped what is asked for something else, with the difference marked. */
export function ChangedRequest({ from, record }: Props) {
  const later = useLaterParts();
  return (
    <section class="changed">
      <p role="alert">
        <strong>The agent changed its request.</strong> Read it again before you answer.
      </p>
      {later !== undefined && <later.Differences from={from} record={record} />}
    </section>
  );
}
