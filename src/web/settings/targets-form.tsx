import { useId, useState } from 'preact/hooks';
import { isObject } from '../../protocol/guards.ts';
import { ClientError } from '../../client/errors.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import {
  changesOf,
  creationOf,
  draftOf,
  type DraftProblems,
  draftProblems,
  EVENT_TYPES,
  KINDS,
  type TargetDraft,
  toggle,
} from '../model/target-draft.ts';
import { EVENT_WORDS, KIND_WORDS, type ListedTarget } from '../model/targets.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';

interface TargetFormProps {
  readonly title: string;
  /** The target to change; left out, a new one. */
  readonly target?: ListedTarget;
  /** Closes the form when it resolves. */
  readonly onSave: (body: JsonObject) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The fields of a webhook. A wrong address is reported at its field, in the words of the server. */
export function TargetForm({ title, target, onSave, onClose }: TargetFormProps) {
  const [draft, setDraft] = useState(() => draftOf(target));
  const [problems, setProblems] = useState<DraftProblems>({});
  const { isBusy, failure, run } = useAsyncAction();
  const id = useId();
  const set = (changes: Partial<TargetDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const report = (found: DraftProblems) => {
    setProblems(found);
    const [first] = Object.keys(found);
    if (first !== undefined) document.getElementById(`${id}-${first}`)?.focus();
    return first !== undefined;
  };
  const save = async () => {
    if (report(draftProblems(draft))) return;
    let atFields: DraftProblems = {};
    await run(async () => {
      try {
        await onSave(target === undefined ? creationOf(draft) : changesOf(draft));
      } catch (cause) {
        atFields = problemsOf(cause);
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
        <TextField
          id={`${id}-url`}
          label="Address"
          hint="HTTPS with a public host name. Requests are posted there, signed."
          value={draft.url}
          problem={problems.url}
          placeholder="https://hooks.example.com/holdpoint"
          onWrite={(url) => set({ url })}
        />
        <fieldset class="checks" aria-describedby={`${id}-events-problem`}>
          <legend>Events</legend>
          <label>
            <input
              id={`${id}-events`}
              type="checkbox"
              checked={draft.isEveryEvent}
              onChange={() => set({ isEveryEvent: !draft.isEveryEvent })}
            />
            Every event
          </label>
          {!draft.isEveryEvent &&
            EVENT_TYPES.map((type) => (
              <Check
                key={type}
                words={EVENT_WORDS[type] ?? type}
                isChecked={draft.events.includes(type)}
                onChange={() => set({ events: toggle(draft.events, type) })}
              />
            ))}
          <p class="failure" id={`${id}-events-problem`} hidden={problems.events === undefined}>
            {problems.events}
          </p>
        </fieldset>
        <fieldset class="checks">
          <legend>Only requests of these kinds (optional)</legend>
          {KINDS.map((kind) => (
            <Check
              key={kind}
              words={KIND_WORDS[kind] ?? kind}
              isChecked={draft.kinds.includes(kind)}
              onChange={() => set({ kinds: toggle(draft.kinds, kind) })}
            />
          ))}
        </fieldset>
        <TextField
          id={`${id}-tools`}
          label="Only these tools (optional)"
          hint="Separated by commas, for example Bash, Edit."
          value={draft.tools}
          onWrite={(tools) => set({ tools })}
        />
        <TextField
          id={`${id}-sessions`}
          label="Only sessions whose id begins with (optional)"
          value={draft.sessions}
          onWrite={(sessions) => set({ sessions })}
        />
        <TextField
          id={`${id}-audience`}
          label="Answers as (optional)"
          hint="The name that is shown when this receiver decides a request."
          value={draft.audience}
          onWrite={(audience) => set({ audience })}
        />
        <FailureNote text={failure} />
        <div class="choices">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {target === undefined ? 'Add target' : 'Save'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Sheet>
  );
}

/** What the server says of a field that this form has. */
function problemsOf(cause: unknown): DraftProblems {
  const details: unknown = cause instanceof ClientError ? cause.details : undefined;
  const issues = isObject(details) && Array.isArray(details['issues']) ? details['issues'] : [];
  for (const issue of issues) {
    if (!isObject(issue) || typeof issue['message'] !== 'string') continue;
    if (issue['path'] === 'url') return { url: sentence(issue['message']) };
  }
  return {};
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface CheckProps {
  readonly words: string;
  readonly isChecked: boolean;
  readonly onChange: () => void;
}

function Check({ words, isChecked, onChange }: CheckProps) {
  return (
    <label>
      <input type="checkbox" checked={isChecked} onChange={onChange} />
      {words}
    </label>
  );
}

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly problem?: string | undefined;
  readonly placeholder?: string;
  readonly onWrite: (text: string) => void;
}

function TextField(props: TextFieldProps) {
  const { id, label, hint, value, problem, placeholder, onWrite } = props;
  const described = problem !== undefined ? `${id}-problem` : hint && `${id}-hint`;
  return (
    <div class="text-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        aria-invalid={problem !== undefined}
        {...(placeholder !== undefined && { placeholder })}
        {...(described !== undefined && { 'aria-describedby': described })}
        onInput={({ currentTarget }) => onWrite(currentTarget.value)}
      />
      {problem !== undefined && (
        <p class="failure" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p class="about" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
