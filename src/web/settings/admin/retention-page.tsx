import { useCallback, useState } from 'preact/hooks';
import type { JsonObject, Retention, RetentionPreview } from '../../../protocol/types.ts';
import { type ServerClock, useNow } from '../../clock.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { t, tn } from '../../model/language.ts';
import { addressOf } from '../../model/location.ts';
import { MINUTE_MS, relativeTime } from '../../model/times.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/sheet.tsx';
import { Literal } from '../../ui/literal.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Check, TextField } from '../form-fields.tsx';
import type { AdminRequests } from './admin-requests.ts';
import { LoadState, useLoaded } from './use-loaded.tsx';

interface RetentionPageProps {
  readonly requests: AdminRequests;
  readonly clock: ServerClock;
}

const MAX_DAYS = 3_650;
const SHOWN_SESSIONS = 50;
/** The page holds their logs until all are read. */
const EXPORTED_AT_ONCE = 100;

/** How long sessions are kept after their last event, and what would be deleted. */
export function RetentionPage({ requests, clock }: RetentionPageProps) {
  const loaded = useLoaded(useCallback(() => requests.settings(), [requests]));
  return (
    <section class="settings-section" aria-labelledby="retention-title">
      <div class="settings-head">
        <h2 id="retention-title">{t('Retention')}</h2>
      </div>
      <p class="muted">
        {t(
          'Sessions can be deleted some days after their last event. Never deleted are sessions with an open request and sessions that anyone has pinned. The audit list keeps its entries.',
        )}
      </p>
      <LoadState loaded={loaded} />
      {loaded.value !== undefined && (
        <RetentionForm
          {...{ requests, clock }}
          settings={loaded.value}
          onSave={async (settings) => loaded.set(await requests.saveSettings(settings))}
        />
      )}
    </section>
  );
}

interface RetentionFormProps extends RetentionPageProps {
  readonly settings: JsonObject;
  readonly onSave: (settings: JsonObject) => Promise<void>;
}

function RetentionForm({ requests, clock, settings, onSave }: RetentionFormProps) {
  const saved = retentionIn(settings);
  const [days, setDays] = useState(saved === undefined ? '' : String(saved.days));
  const [isExportedFirst, setExportedFirst] = useState(saved?.exportFirst === true);
  const [labels, setLabels] = useState(saved?.keepLabels?.join(', ') ?? '');
  const [preview, setPreview] = useState<RetentionPreview>();
  const [done, setDone] = useState<string>();
  const { isBusy, failure, run } = useAsyncAction();
  const count = Number(days);
  const isRight = Number.isInteger(count) && count >= 1 && count <= MAX_DAYS;
  const keepLabels = labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
  const retention = {
    days: count,
    ...(isExportedFirst && { exportFirst: true as const }),
    ...(keepLabels.length > 0 && { keepLabels }),
  };
  const forget = () => {
    setPreview(undefined);
    setDone(undefined);
  };
  const { retention: _saved, ...others } = settings;
  const problem = days === '' || isRight ? undefined : t('Write a number of days from 1 to 3650');
  return (
    <div class="target-form">
      <TextField
        id="retention-days"
        label={t('Days after the last event')}
        hint={t('Empty keeps sessions for good.')}
        value={days}
        problem={problem}
        onWrite={(text) => {
          forget();
          setDays(text.trim());
        }}
      />
      <div class="checks">
        <Check
          words={t('Only sessions that an administrator has exported')}
          isChecked={isExportedFirst}
          onChange={() => {
            forget();
            setExportedFirst(!isExportedFirst);
          }}
        />
      </div>
      <TextField
        id="retention-labels"
        label={t('Keep sessions with these labels')}
        hint={t('Names of labels, separated by commas')}
        value={labels}
        onWrite={(text) => {
          forget();
          setLabels(text);
        }}
      />
      <FailureNote text={failure} />
      <div class="choices">
        <Button
          isBusy={isBusy}
          disabled={!isRight}
          onClick={() =>
            void run(async () => {
              setDone(undefined);
              setPreview(await requests.previewRetention(retention));
            })
          }
        >
          {t('Preview')}
        </Button>
        {isRight && preview !== undefined && (
          <ConfirmButton
            words={t('Delete old sessions')}
            warning={tn(
              preview.sessions.length,
              'From now on, sessions are deleted {days} days after their last event: {count} of them within hours. They cannot be restored.',
              'From now on, sessions are deleted {days} days after their last event: {count} of them within hours. They cannot be restored.',
              { days: count },
            )}
            confirm={t('Delete them')}
            onConfirm={async () => {
              await onSave({ ...others, retention });
              setDone(t('Saved'));
            }}
          />
        )}
        {saved !== undefined && (
          <Button
            isBusy={isBusy}
            onClick={() =>
              void run(async () => {
                await onSave(others);
                setDays('');
                setPreview(undefined);
                setDone(t('Sessions are kept for good.'));
              })
            }
          >
            {t('Keep all sessions')}
          </Button>
        )}
        <span role="status" class="muted">
          {done ?? ''}
        </span>
      </div>
      {preview !== undefined && <PreviewList preview={preview} clock={clock} />}
      {preview !== undefined && preview.kept.notExported > 0 && (
        <div class="choices">
          <Button
            isBusy={isBusy}
            onClick={() =>
              void run(async () => {
                const exported = await exportOld(requests, retention, preview);
                setPreview(await requests.previewRetention(retention));
                setDone(tn(exported, '{count} session exported', '{count} sessions exported'));
              })
            }
          >
            {tn(
              Math.min(preview.kept.notExported, EXPORTED_AT_ONCE),
              'Export {count} session now',
              'Export {count} sessions now',
            )}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Saves the old sessions that were not exported, in one file; resolves with how many. */
async function exportOld(
  requests: AdminRequests,
  { exportFirst: _first, ...retention }: Retention,
  { sessions: exported }: RetentionPreview,
): Promise<number> {
  const { sessions } = await requests.previewRetention(retention);
  const wanted = sessions
    .filter(({ id }) => !exported.some((one) => one.id === id))
    .slice(0, EXPORTED_AT_ONCE);
  const parts: BlobPart[] = [];
  try {
    for (const { id, title } of wanted) {
      const log = await requests.exportSession(id);
      parts.push(`${JSON.stringify({ session: id, title })}\n`, log);
    }
  } finally {
    // Those that were read count as exported, and may be deleted, also where the next one fails.
    if (parts.length > 0) saveFile(new Blob(parts), 'sessions.jsonl');
  }
  return wanted.length;
}

function PreviewList({
  preview,
  clock,
}: {
  readonly preview: RetentionPreview;
  readonly clock: ServerClock;
}) {
  const { sessions, kept, isPartial } = preview;
  const now = useNow(clock, MINUTE_MS);
  const keptCount = kept.open + kept.pinned + kept.labelled + kept.notExported;
  return (
    <section class="status-answers" aria-label={t('Preview')}>
      <p role="status">
        {tn(
          sessions.length,
          '{count} session would be deleted',
          '{count} sessions would be deleted',
        )}
        {isPartial && ` · ${t('and there are more')}`}
      </p>
      {keptCount > 0 && (
        <p class="muted">
          {t(
            'Kept: {open} with an open request, {pinned} pinned, {labelled} by label, {notExported} not exported',
            kept,
          )}
        </p>
      )}
      {sessions.length > 0 && (
        <ul class="audit-list" aria-label={t('Sessions that would be deleted')}>
          {sessions.slice(0, SHOWN_SESSIONS).map(({ id, title, activeAt }) => (
            <li key={id} class="preview-row">
              <a href={addressOf({ session: id })} dir="auto">
                <Literal text={title ?? id} />
              </a>
              <span class="muted">{relativeTime(activeAt, now)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface SavedRetention {
  readonly days: number;
  readonly exportFirst?: boolean;
  readonly keepLabels?: readonly string[];
}

/** The server has checked it. */
function retentionIn({ retention }: JsonObject): SavedRetention | undefined {
  return retention === undefined ? undefined : (retention as unknown as SavedRetention);
}
