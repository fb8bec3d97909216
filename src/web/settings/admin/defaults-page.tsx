import { useCallback, useState } from 'preact/hooks';
import type { JsonObject } from '../../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import * as model from '../../model/defaults-draft.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { Radio, TextField } from '../form-fields.tsx';
import type { AdminRequests } from './admin-requests.ts';
import { kindsWords } from './kinds-words.ts';
import { LoadState, useLoaded } from './use-loaded.tsx';

/** What sessions do that say nothing else: deadlines, who may answer, the mode, whom requests are for, what tokens cost. */
export function DefaultsPage({ requests }: { readonly requests: AdminRequests }) {
  const loaded = useLoaded(useCallback(() => requests.settings(), [requests]));
  return (
    <section class="settings-section" aria-labelledby="defaults-title">
      <div class="settings-head">
        <h2 id="defaults-title">{t('Defaults')}</h2>
      </div>
      <p class="muted">
        {t('They count for every session that says nothing else, within half a minute.')}
      </p>
      <LoadState loaded={loaded} />
      {loaded.value !== undefined && (
        <DefaultsForm
          settings={loaded.value}
          onSave={async (settings) => loaded.set(await requests.saveSettings(settings))}
        />
      )}
    </section>
  );
}

interface DefaultsFormProps {
  readonly settings: JsonObject;
  readonly onSave: (settings: JsonObject) => Promise<void>;
}

function DefaultsForm({ settings, onSave }: DefaultsFormProps) {
  const [draft, setDraft] = useState(() => model.defaultsDraftOf(settings));
  const [isSaved, setSaved] = useState(false);
  const { isBusy, failure, run } = useAsyncAction();
  const problems = model.defaultsProblems(draft);
  const set = (change: Partial<model.DefaultsDraft>) => {
    setSaved(false);
    setDraft((before) => ({ ...before, ...change }));
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (model.hasProblems(problems)) {
      const form = event.currentTarget as HTMLFormElement;
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    setSaved(await run(() => onSave(model.defaultsOf(draft, settings))));
  };
  return (
    <form class="target-form" onSubmit={(event) => void submit(event)} noValidate>
      <fieldset class="defaults-group">
        <legend>{t('Time to answer')}</legend>
        <p class="about">
          {t('10m, 2h or 1d; none for no deadline. Empty fields are left to the deployment.')}
        </p>
        <div class="defaults-grid">
          {model.DEADLINE_KINDS.map((kind) => (
            <TextField
              key={kind}
              id={`deadline-${kind}`}
              label={kindsWords(kind)}
              value={draft.deadlines[kind]}
              problem={problems.deadlines[kind]}
              onWrite={(text) => set({ deadlines: { ...draft.deadlines, [kind]: text } })}
            />
          ))}
        </div>
      </fieldset>
      <fieldset class="checks">
        <legend>{t('May the one who asked also answer?')}</legend>
        <Radio
          group="self-approval"
          words={t('As the deployment says')}
          isChecked={draft.selfApproval === ''}
          onChange={() => set({ selfApproval: '' })}
        />
        <Radio
          group="self-approval"
          words={t('No, another person or credential must answer')}
          isChecked={draft.selfApproval === 'forbid'}
          onChange={() => set({ selfApproval: 'forbid' })}
        />
        <Radio
          group="self-approval"
          words={t('Yes, for a single developer alone')}
          isChecked={draft.selfApproval === 'allow'}
          onChange={() => set({ selfApproval: 'allow' })}
        />
      </fieldset>
      <div class="text-field">
        <label for="default-mode">{t('Mode of new sessions')}</label>
        <select
          id="default-mode"
          value={draft.mode}
          onChange={({ currentTarget }) => set({ mode: currentTarget.value })}
        >
          <option value="">{t('Ask first (nothing set)')}</option>
          <option value="default">{t('Ask first')}</option>
          <option value="plan">{t('Plan mode')}</option>
          <option value="acceptEdits">{t('Auto-accept edits')}</option>
        </select>
      </div>
      <AudienceRules
        text={draft.audiences}
        problem={problems.audiences}
        onWrite={(audiences) => set({ audiences })}
      />
      <TextField
        id="prices"
        label={t('Prices of models')}
        hint={t(
          'A line a model: the beginning of its name, then US dollars for a million tokens in, out, read from the cache and written to it.',
        )}
        value={draft.prices}
        problem={problems.prices}
        isLong
        onWrite={(prices) => set({ prices })}
      />
      <FailureNote text={failure} />
      <div class="choices">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t('Save defaults')}
        </Button>
        <span role="status" class="muted">
          {isSaved ? t('Saved') : ''}
        </span>
      </div>
    </form>
  );
}

interface AudienceRulesProps {
  /** All rules as JSON; the form adds to it. */
  readonly text: string;
  readonly problem: string | undefined;
  readonly onWrite: (text: string) => void;
}

const EMPTY: model.AudienceRuleDraft = { tools: '', kind: '', subjects: '', groups: '' };

/** Whom requests are for: a form for a rule of people and groups, and all rules as JSON for the rest. */
function AudienceRules({ text, problem, onWrite }: AudienceRulesProps) {
  const [draft, setDraft] = useState(EMPTY);
  const rule = model.audienceRuleOf(draft);
  const rules = model.readAudiences(text);
  const set = (change: Partial<model.AudienceRuleDraft>) =>
    setDraft((before) => ({ ...before, ...change }));
  return (
    <fieldset class="defaults-group">
      <legend>{t('Whom requests are for')}</legend>
      <p class="about">
        {t('The first rule that fits a request counts. Without a rule, everyone may answer.')}
      </p>
      <div class="defaults-grid">
        <TextField
          id="rule-tools"
          label={t('Tools')}
          hint={t('Separated by commas; empty for all')}
          value={draft.tools}
          onWrite={(tools) => set({ tools })}
        />
        <div class="text-field">
          <label for="rule-kind">{t('Kind')}</label>
          <select
            id="rule-kind"
            value={draft.kind}
            onChange={({ currentTarget }) => set({ kind: currentTarget.value })}
          >
            <option value="">{t('Any')}</option>
            {model.DEADLINE_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {kindsWords(kind)}
              </option>
            ))}
          </select>
        </div>
        <TextField
          id="rule-subjects"
          label={t('People')}
          value={draft.subjects}
          onWrite={(subjects) => set({ subjects })}
        />
        <TextField
          id="rule-groups"
          label={t('Groups')}
          value={draft.groups}
          onWrite={(groups) => set({ groups })}
        />
      </div>
      <div class="choices">
        <Button
          disabled={rule === undefined || rules === undefined}
          onClick={() => {
            if (rule === undefined || rules === undefined) return;
            onWrite(JSON.stringify([...rules, rule], null, 2));
            setDraft(EMPTY);
          }}
        >
          {t('Add rule')}
        </Button>
      </div>
      <TextField
        id="audiences"
        label={t('All rules, as JSON')}
        value={text}
        problem={problem}
        isLong
        onWrite={onWrite}
      />
    </fieldset>
  );
}
