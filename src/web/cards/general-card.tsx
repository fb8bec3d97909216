import { Button } from '../ui/button.tsx';
import { JsonView } from '../ui/json-view.tsx';
import type { CardBodyProps } from './card-props.ts';

/** A request of a kind that this page does not know: shown as it is, and it can be cancelled. */
export function GeneralCard({ answering, isLive }: CardBodyProps) {
  const { record, isBusy } = answering;
  return (
    <>
      <JsonView value={record.request} label={`Request of ${record.toolName}`} />
      {record.status === 'open' && (
        <p class="card-note">
          This page does not know how to answer a “{record.kind}”. Another one may.
        </p>
      )}
      {isLive && (
        <div class="card-actions">
          <Button kind="plain" isBusy={isBusy} onClick={() => void answering.cancel()}>
            Cancel the request
          </Button>
        </div>
      )}
    </>
  );
}
