import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ListedAuditEntry } from '../../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { t, tn } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { AdminRequests, AuditSearch, FoundAudit } from './admin-requests.ts';
import { AuditEntryRow } from './audit-entry-row.tsx';
import { AuditSearchForm } from './audit-search-form.tsx';
import { saveFile } from '../../ui/save-file.ts';

/** Who decided and changed what: searched, read page by page, and taken away as a file. */
export function AuditPage({ requests }: { readonly requests: AdminRequests }) {
  const [search, setSearch] = useState<AuditSearch>({});
  const [entries, setEntries] = useState<readonly ListedAuditEntry[]>();
  const [last, setLast] = useState<Omit<FoundAudit, 'entries'>>();
  const { isBusy, failure, run } = useAsyncAction();
  const saving = useAsyncAction();
  const read = useCallback(
    (before?: string) =>
      run(async () => {
        const found = await requests.audit(search, before);
        setEntries((known) =>
          before === undefined ? found.entries : [...(known ?? []), ...found.entries],
        );
        setLast(found);
      }),
    [requests, search, run],
  );
  useEffect(() => void read(), [read]);
  const save = (format: 'csv' | 'jsonl') =>
    void saving.run(async () => {
      saveFile(await requests.exportAudit(search, format), `audit.${format}`);
    });
  const head = last?.head;
  const next = last?.next;
  return (
    <section class="settings-section" aria-labelledby="audit-title">
      <div class="settings-head">
        <h2 id="audit-title">{t('Audit')}</h2>
        <div class="choices">
          <Button isBusy={saving.isBusy} onClick={() => save('csv')}>
            {t('Export CSV')}
          </Button>
          <Button isBusy={saving.isBusy} onClick={() => save('jsonl')}>
            {t('Export JSON lines')}
          </Button>
        </div>
      </div>
      <FailureNote text={saving.failure} />
      <AuditSearchForm isBusy={isBusy} onSearch={setSearch} />
      <FailureNote text={failure} />
      <p role="status" class="muted">
        {entries === undefined
          ? t('Loading…')
          : tn(entries.length, '{count} entry', '{count} entries')}
        {next !== undefined && entries !== undefined && ` · ${t('there may be older ones')}`}
      </p>
      {entries?.length === 0 && next === undefined && (
        <div class="settings-empty">
          <h3>{t('Nothing found')}</h3>
          <p>
            {t('Every decision and every change of a setting is listed here. Search for less.')}
          </p>
        </div>
      )}
      {entries !== undefined && entries.length > 0 && (
        <ul class="audit-list" aria-label={t('Audit')}>
          {entries.map((entry) => (
            <AuditEntryRow key={entry.number} entry={entry} />
          ))}
        </ul>
      )}
      {next !== undefined && (
        <div class="choices">
          <Button isBusy={isBusy} onClick={() => void read(next)}>
            {t('Older entries')}
          </Button>
        </div>
      )}
      {head != null && (
        <div class="audit-head">
          <p>
            {t(
              'The entries are a chain of hashes. Keep its head somewhere else: “holdpoint audit verify server --head” shows with it whether entries were changed or removed.',
            )}
          </p>
          <div class="copy-line">
            <code>
              {head.number}:{head.hash}
            </code>
            <CopyButton text={`${head.number}:${head.hash}`} label={t('Copy the head')} />
          </div>
        </div>
      )}
    </section>
  );
}
