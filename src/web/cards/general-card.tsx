import { t } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { JsonView } from '../ui/json-view.tsx';
import type { CardBodyProps } from './card-props.ts';

/** A request of an unknown kind: shown as JSON, and it can be cancelled. */
export function GeneralCard({ answering, isLive }: CardBodyProps) {
  const { record, isBusy } = answering;
  return (
    <>
      <JsonView value={record.request} label={t('Request of {tool}', { tool: record.toolName })} />
      {record.status === 'open' && (
        <p class="card-note">
          {t('This page can’t answer a “{kind}”. Another one may.', { kind: record.kind })}
        </p>
      )}
      {isLive && (
        <div class="card-actions">
          <Button kind="plain" isBusy={isBusy} onClick={() => void answering.cancel()}>
            {t('Cancel the request')}
          </Button>
        </div>
      )}
    </>
  );
}
