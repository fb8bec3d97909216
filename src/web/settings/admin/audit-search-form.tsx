import { useState } from 'preact/hooks';
import * as words from '../../model/audit-words.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../form-fields.tsx';
import type { AuditSearch } from './admin-requests.ts';

interface AuditSearchFormProps {
  readonly isBusy: boolean;
  readonly onSearch: (search: AuditSearch) => void;
}

export function AuditSearchForm({ isBusy, onSearch }: AuditSearchFormProps) {
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
