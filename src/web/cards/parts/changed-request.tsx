import type { Interaction } from '../../../protocol/types.ts';
import { useLaterParts } from '../../hooks/use-later-parts.ts';

interface ChangedRequestProps {
  readonly from: Interaction;
  readonly record: Interaction;
}

/** Said where the agent swapped what is asked for something else, with the difference marked. */
export function ChangedRequest({ from, record }: ChangedRequestProps) {
  const later = useLaterParts();
  return (
    <section class="changed">
      <p role="alert">
        <strong>The agent changed its request.</strong> Read it again before you answer.
      </p>
      {later !== undefined && <later.RequestDifferences from={from} record={record} />}
    </section>
  );
}
