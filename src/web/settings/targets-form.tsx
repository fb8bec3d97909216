import { useId, useState } from 'preact/hooks';
import { ClientError } from '../../client/errors.ts';
import { isObject, type JsonObject } from '../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import * as model from '../model/target-draft.ts';
import { formTypes, formTypeOf } from '../model/target-fields.ts';
import { eventNames, kindNames, type ListedTarget } from '../model/targets.ts';
import { t } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Check, Radio, TextField } from './form-fields.tsx';

interface TargetFormProps {
  readonly title: string;
  /** The target to change; left out, a new one. */
  readonly target?: ListedTarget;
  /** Closes the form when it resolves. */
  readonly onSave: (body: JsonObject) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The type of a new target, then its fields. What is wrong is reported at its field, in the words of the server. */
export function TargetForm({ title, target, onSave, onClose }: TargetFormProps) {
  const [draft, setDraft] = useState(() => model.draftOf(target));
  const [problems, setProblems] = useState<model.DraftProblems>({});
  const { isBusy, failure, run } = useAsyncAction();
  const id = useId();
  const isNew = target === undefined;
  const { type } = draft;
  const { fields = [], audience } = formTypeOf(type) ?? {};
  const set = (changes: Partial<model.TargetDraft>) =>
    setDraft((before) => ({ ...before, ...changes }));
  const report = (found: model.DraftProblems) => {
    setProblems(found);
    const [first] = Object.keys(found);
    if (first !== undefined) document.getElementById(`${id}-${first}`)?.focus();
    return first !== undefined;
  };
  const save = async () => {
    if (report(model.draftProblems(draft, target))) return;
    let atFields: model.DraftProblems = {};
    await run(async () => {
      try {
        await onSave(isNew ? model.creationOf(draft) : model.changesOf(draft, target));
      } catch (cause) {
        atFields = model.problemsOf(type, issuesOf(cause));
        if (Object.keys(atFields).length === 0) throw cause;
      }
    });
    report(atFields);
  };
  return (
    <Sheet title={title} side="right" onClose={onClose}>
      <form
        class="target-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {isNew && (
          <fieldset class="checks">
            <legend>{t('Type')}</legend>
            {formTypes().map((one) => (
              <Radio
                key={one.type}
                group={`${id}-type`}
                words={one.words}
                isChecked={one.type === type}
                onChange={() => {
                  set({ type: one.type });
                  setProblems({});
                }}
              />
            ))}
          </fieldset>
        )}
        {fields.map(({ path, label, hint, placeholder, form, isSecret = false }) => (
          <TextField
            key={path}
            id={`${id}-${path}`}
            label={label}
            hint={
              isSecret && !isNew ? `${hint ?? ''} ${t('Left empty, it stays as it is.')}` : hint
            }
            value={draft.settings[path] ?? ''}
            problem={problems[path]}
            {...{ placeholder, isSecret }}
            isLong={form !== undefined}
            onWrite={(text) => set({ settings: { ...draft.settings, [path]: text } })}
          />
        ))}
        {type === 'mail' && (
          <div class="checks">
            <Check
              words={t('Mail again when a request has ended')}
              isChecked={draft.retire}
              onChange={() => set({ retire: !draft.retire })}
            />
          </div>
        )}
        <TextField
          id={`${id}-name`}
          label={t('Name (optional)')}
          hint={t('Lower case, such as ops-channel. Requests may name the target by it.')}
          value={draft.name}
          problem={problems['name']}
          onWrite={(name) => set({ name })}
        />
        <fieldset class="checks" aria-describedby={`${id}-events-problem`}>
          <legend>{t('Events')}</legend>
          <Check
            id={`${id}-events`}
            words={t('Every event')}
            isChecked={draft.isEveryEvent}
            onChange={() => set({ isEveryEvent: !draft.isEveryEvent })}
          />
          {!draft.isEveryEvent &&
            model.FILTER_EVENTS.map((type) => (
              <Check
                key={type}
                words={eventNames()[type] ?? type}
                isChecked={draft.events.includes(type)}
                onChange={() => set({ events: model.toggle(draft.events, type) })}
              />
            ))}
          <p class="failure" id={`${id}-events-problem`} hidden={problems['events'] === undefined}>
            {problems['events']}
          </p>
        </fieldset>
        <fieldset class="checks">
          <legend>{t('Only requests of these kinds (optional)')}</legend>
          {model.TARGET_KINDS.map((kind) => (
            <Check
              key={kind}
              words={kindNames()[kind] ?? kind}
              isChecked={draft.kinds.includes(kind)}
              onChange={() => set({ kinds: model.toggle(draft.kinds, kind) })}
            />
          ))}
        </fieldset>
        <TextField
          id={`${id}-tools`}
          label={t('Only these tools (optional)')}
          hint={t('Separated by commas, for example Bash, Edit.')}
          value={draft.tools}
          problem={problems['tools']}
          onWrite={(tools) => set({ tools })}
        />
        <TextField
          id={`${id}-sessions`}
          label={t('Only sessions whose id begins with (optional)')}
          value={draft.sessions}
          problem={problems['sessions']}
          onWrite={(sessions) => set({ sessions })}
        />
        <TextField
          id={`${id}-labels`}
          label={t('Only sessions with these labels (optional)')}
          hint={t('A line for each, with its value, for example env = production.')}
          value={draft.labels}
          problem={problems['labels']}
          isLong
          onWrite={(labels) => set({ labels })}
        />
        <TextField
          id={`${id}-audience`}
          label={t('Answers as (optional)')}
          hint={audience}
          value={draft.audience}
          problem={problems['audience']}
          onWrite={(audience) => set({ audience })}
        />
        <FailureNote text={failure} />
        <div class="choices">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {isNew ? t('Add target') : t('Save')}
          </Button>
          <Button onClick={onClose}>{t('Cancel')}</Button>
        </div>
      </form>
    </Sheet>
  );
}

function issuesOf(cause: unknown): unknown {
  const details: unknown = cause instanceof ClientError ? cause.details : undefined;
  return isObject(details) ? details['issues'] : undefined;
}
