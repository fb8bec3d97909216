import { Button } from '../ui/button.tsx';
import { JsonView } from '../ui/literal.tsx';
import type { CardBodyProps } from './card-props.ts';

/** A request of an unknown kind: shown as JSON, and it can be cancelled. */
export function GeneralCard({ answering, isLive }: CardBodyProps) {
  const { record, isBusy } = answering;
  return (
    <>
      <JsonView value={record.request} label={`Request of ${record.toolName}`} />
      {record.status === 'open' && (
        <p class="card-note">This page can’t answer a “{record.kind}”. Another one may.</p>
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
