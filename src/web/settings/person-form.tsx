import { useId, useState } from 'preact/hooks';
import type { PersonView, Role } from '../../protocol/schema/person.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Check, Radio, TextField } from './form-fields.tsx';
import type { PersonDraft } from './people-requests.ts';

interface PersonFormProps {
  readonly title: string;
  /** Undefined for an invitation. */
  readonly person: PersonView | undefined;
  /** The names of the groups of the workspace. */
  readonly groups: readonly string[];
  readonly onSave: (draft: PersonDraft) => Promise<void>;
  readonly onClose: () => void;
}

const ROLES: readonly Role[] = ['viewer', 'answerer', 'admin'];
const LOOKS_LIKE_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function roleWords(role: Role): string {
  switch (role) {
    case 'viewer':
      return t('Viewer');
    case 'answerer':
      return t('Answerer');
    case 'admin':
      return t('Administrator');
  }
}

function roleAbout(role: Role): string {
  switch (role) {
    case 'viewer':
      return t('Viewer: sees sessions and requests');
    case 'answerer':
      return t('Answerer: also decides, and writes to agents');
    case 'admin':
      return t('Administrator: also people, keys and settings');
  }
}

/** Invites a person, or changes the name, the role and the groups of one. */
export function PersonForm({ title, person, groups, onSave, onClose }: PersonFormProps) {
  const id = useId();
  const [draft, setDraft] = useState<PersonDraft>({
    email: person?.email ?? '',
    name: person?.name ?? '',
    role: person?.role ?? 'answerer',
    groups: person?.groups ?? [],
  });
  const [problem, setProblem] = useState<string>();
  const { isBusy, failure, run } = useAsyncAction();
  const set = (part: Partial<PersonDraft>) => setDraft((before) => ({ ...before, ...part }));
  const save = () => {
    const isWrong = person === undefined && !LOOKS_LIKE_ADDRESS.test(draft.email.trim());
    setProblem(isWrong ? t('Use an address like ana@example.com') : undefined);
    if (isWrong) document.getElementById(`${id}-email`)?.focus();
    else void run(() => onSave({ ...draft, email: draft.email.trim(), name: draft.name.trim() }));
  };
  const toggle = (group: string) => {
    const others = draft.groups.filter((one) => one !== group);
    set({ groups: draft.groups.includes(group) ? others : [...others, group] });
  };
  return (
    <Sheet title={title} side="middle" onClose={onClose}>
      <form
        class="target-form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {person === undefined && (
          <TextField
            id={`${id}-email`}
            label={t('Email address')}
            value={draft.email}
            problem={problem}
            placeholder="ana@example.com"
            onWrite={(email) => set({ email })}
          />
        )}
        <TextField
          id={`${id}-name`}
          label={t('Name (optional)')}
          value={draft.name}
          onWrite={(name) => set({ name })}
        />
        <fieldset class="checks">
          <legend>{t('Role')}</legend>
          {ROLES.map((role) => (
            <Radio
              key={role}
              group={`${id}-role`}
              words={roleAbout(role)}
              isChecked={role === draft.role}
              onChange={() => set({ role })}
            />
          ))}
        </fieldset>
        {groups.length > 0 && (
          <fieldset class="checks">
            <legend>{t('Groups')}</legend>
            {groups.map((group) => (
              <Check
                key={group}
                words={group}
                isChecked={draft.groups.includes(group)}
                onChange={() => toggle(group)}
              />
            ))}
          </fieldset>
        )}
        <FailureNote text={failure} />
        <div class="choices">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {person === undefined ? t('Invite') : t('Save')}
          </Button>
          <Button onClick={onClose}>{t('Cancel')}</Button>
        </div>
      </form>
    </Sheet>
  );
}
