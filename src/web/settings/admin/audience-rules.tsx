import { useState } from 'preact/hooks';
import * as model from '../../model/defaults-draft.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../form-fields.tsx';
import { kindsWords } from './kinds-words.ts';

interface AudienceRulesProps {
  /** All rules as JSON; the form adds to it. */
  readonly text: string;
  readonly problem: string | undefined;
  readonly onWrite: (text: string) => void;
}

const EMPTY: model.AudienceRuleDraft = { tools: '', kind: '', subjects: '', groups: '' };

/** Whom requests are for: a form for a rule of people and groups, and all rules as JSON for the rest. */
export function AudienceRules({ text, problem, onWrite }: AudienceRulesProps) {
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
