import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ListedAuditEntry } from '../../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { t, tn } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import * as words from '../../model/audit-words.ts';
import { addressOf } from '../../model/location.ts';
import { absoluteTime } from '../../model/absolute-time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Literal } from '../../ui/literal.tsx';
import { TextField } from '../form-fields.tsx';
import type { AdminRequests, AuditSearch, FoundAudit } from './admin-requests.ts';

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

/** One entry on a line, and all of it on demand. */
function AuditEntryRow({ entry }: { readonly entry: ListedAuditEntry }) {
  const { at, subject, via, outcome } = entry;
  const about = words.auditAbout(entry);
  return (
    <li>
      <details class="audit-entry">
        <summary>
          <span class="audit-what">
            <Badge mood={moodOf(outcome)}>{words.auditDeed(entry)}</Badge>
            {about !== '' && (
              <strong dir="auto">
                <Literal text={about} />
              </strong>
            )}
          </span>
          <span class="audit-who" dir="auto">
            <Literal text={subject} />
          </span>
          <span class="muted">{absoluteTime(at)}</span>
        </summary>
        <dl class="facts">
          {entryFacts(entry, via).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">
                <Literal text={value} />
              </dd>
            </div>
          ))}
          {entry.sessionId !== undefined && (
            <div>
              <dt>{t('Session')}</dt>
              <dd>
                <a
                  href={addressOf({
                    session: entry.sessionId,
                    ...(entry.interactionId !== undefined && { interaction: entry.interactionId }),
                  })}
                >
                  {entry.sessionId}
                </a>
              </dd>
            </div>
          )}
        </dl>
      </details>
    </li>
  );
}

function moodOf(outcome: string | undefined): 'good' | 'bad' | 'plain' {
  if (outcome === 'approved' || outcome === 'answered') return 'good';
  return outcome === 'denied' ? 'bad' : 'plain';
}

function entryFacts(entry: ListedAuditEntry, via: string): readonly (readonly [string, string])[] {
  const { by, scopes, number } = entry;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('Reason'), entry.reason],
    [t('Name'), entry.named],
    [t('By way of'), via],
    [t('Credential'), by?.credential],
    [t('From the key'), by?.key],
    [t('Rights'), scopes?.join(', ')],
    [t('Rule'), entry.rule],
    [t('Key'), entry.key],
    [t('Token'), entry.token],
    [t('Target'), entry.target],
    [t('Digest of the input'), entry.digest],
    [t('Number'), String(number)],
    [t('Hash'), entry.hash],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

interface AuditSearchFormProps {
  readonly isBusy: boolean;
  readonly onSearch: (search: AuditSearch) => void;
}

function AuditSearchForm({ isBusy, onSearch }: AuditSearchFormProps) {
  const [draft, setDraft] = useState(words.EMPTY_AUDIT_DRAFT);
  const set = (change: Partial<words.AuditDraft>) =>
    setDraft((before) => ({ ...before, ...change }));
  const isEmpty = Object.values(draft).every((value) => value === '');
  return (
    <form
      class="audit-search"
      role="search"
      aria-label={t('Search the audit list')}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(words.auditSearch(draft));
      }}
    >
      <TextField
        id="audit-text"
        label={t('Text')}
        placeholder={t('a tool, a reason, an id')}
        value={draft.text}
        onWrite={(text) => set({ text })}
      />
      <SelectField
        id="audit-outcome"
        label={t('Outcome')}
        value={draft.outcome}
        values={words.AUDIT_OUTCOMES.map((one) => [one, words.auditOutcome(one)])}
        onChoose={(outcome) => set({ outcome })}
      />
      <details class="audit-more">
        <summary>{t('More filters')}</summary>
        <div class="defaults-grid">
          <TextField
            id="audit-who"
            label={t('Who')}
            placeholder={t('exactly as listed')}
            value={draft.who}
            onWrite={(who) => set({ who })}
          />
          <SelectField
            id="audit-what"
            label={t('What')}
            value={draft.what}
            values={words.AUDIT_THINGS.map((thing) => [thing, words.auditThing(thing)])}
            onChoose={(what) => set({ what })}
          />
          <DayField
            id="audit-from"
            label={t('From')}
            value={draft.from}
            onWrite={(from) => set({ from })}
          />
          <DayField
            id="audit-to"
            label={t('Until')}
            value={draft.to}
            onWrite={(to) => set({ to })}
          />
          <TextField
            id="audit-session"
            label={t('Session')}
            value={draft.session}
            onWrite={(session) => set({ session })}
          />
        </div>
      </details>
      <div class="choices">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t('Search')}
        </Button>
        {!isEmpty && (
          <Button
            kind="quiet"
            onClick={() => {
              setDraft(words.EMPTY_AUDIT_DRAFT);
              onSearch({});
            }}
          >
            {t('Clear')}
          </Button>
        )}
      </div>
    </form>
  );
}

interface SelectFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly values: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string) => void;
}

function SelectField({ id, label, value, values, onChoose }: SelectFieldProps) {
  return (
    <div class="text-field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">{t('Any')}</option>
        {values.map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
}

interface DayFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onWrite: (value: string) => void;
}

function DayField({ id, label, value, onWrite }: DayFieldProps) {
  return (
    <div class="text-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={value}
        onInput={({ currentTarget }) => onWrite(currentTarget.value)}
      />
    </div>
  );
}
