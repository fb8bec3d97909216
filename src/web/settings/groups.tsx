import { useId, useState } from 'preact/hooks';
import type { GroupView } from '../../protocol/schema/audience-rule.ts';
import { visibleText } from '../../protocol/escapes.ts';
import type { PersonView } from '../../protocol/schema/person.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t, tn } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton, Sheet } from '../ui/sheet.tsx';
import { Check, TextField } from './form-fields.tsx';
import type { PeopleRequests } from './people-requests.ts';

interface GroupsProps {
  readonly groups: readonly GroupView[];
  readonly people: readonly PersonView[];
  readonly requests: PeopleRequests;
  readonly onChange: () => Promise<void>;
}

/** The groups that a request may be for. */
export function Groups({ groups, people, requests, onChange }: GroupsProps) {
  const [shown, setShown] = useState<GroupView | 'new'>();
  const close = () => setShown(undefined);
  return (
    <section class="settings-section" aria-labelledby="groups-title">
      <div class="settings-head">
        <h2 id="groups-title">{t('Groups')}</h2>
        <Button onClick={() => setShown('new')}>{t('New group')}</Button>
      </div>
      <p class="muted">{t('A request may be for a group: one of its people answers.')}</p>
      {groups.length > 0 && (
        <ul class="target-list" aria-label={t('Groups')}>
          {groups.map((group) => (
            <li key={group.name} class="target-row">
              <div class="target-line">
                <strong>{group.name}</strong>
                <span class="muted">
                  {tn(group.subjects.length, '{count} person', '{count} people')}
                </span>
              </div>
              <div class="choices">
                <Button
                  aria-label={t('Change {name}', { name: group.name })}
                  onClick={() => setShown(group)}
                >
                  {t('Change')}
                </Button>
                <ConfirmButton
                  words={t('Delete {name}', { name: group.name })}
                  warning={t('Open requests for this group alone are then left to administrators.')}
                  confirm={t('Delete')}
                  onConfirm={async () => {
                    await requests.deleteGroup(group.name);
                    await onChange();
                  }}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      {shown !== undefined && (
        <GroupForm
          group={shown === 'new' ? undefined : shown}
          people={people}
          onClose={close}
          onSave={async (name, subjects) => {
            await requests.saveGroup(name, subjects);
            await onChange();
            close();
          }}
        />
      )}
    </section>
  );
}

interface GroupFormProps {
  readonly group: GroupView | undefined;
  readonly people: readonly PersonView[];
  readonly onSave: (name: string, subjects: readonly string[]) => Promise<void>;
  readonly onClose: () => void;
}

function GroupForm({ group, people, onSave, onClose }: GroupFormProps) {
  const id = useId();
  const [name, setName] = useState(group?.name ?? '');
  const [members, setMembers] = useState<readonly string[]>(group?.subjects ?? []);
  const { isBusy, failure, run } = useAsyncAction();
  // Members without a sign-in of their own, such as those of links, stay until they are taken out.
  const known = new Map(people.map((one) => [one.subject, one.name ?? one.subject]));
  const listed = [...new Set([...known.keys(), ...(group?.subjects ?? [])])];
  const toggle = (subject: string) =>
    setMembers((before) =>
      before.includes(subject) ? before.filter((one) => one !== subject) : [...before, subject],
    );
  return (
    <Sheet title={group?.name ?? t('New group')} side="middle" onClose={onClose}>
      <form
        class="target-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run(() => onSave(name.trim(), members));
        }}
      >
        {group === undefined && (
          <TextField
            id={`${id}-name`}
            label={t('Name')}
            hint={t('Lower case, such as release-managers.')}
            value={name}
            onWrite={setName}
          />
        )}
        {listed.length > 0 && (
          <fieldset class="checks">
            <legend>{t('Members')}</legend>
            {listed.map((subject) => (
              <Check
                key={subject}
                words={visibleText(known.get(subject) ?? subject)}
                isChecked={members.includes(subject)}
                onChange={() => toggle(subject)}
              />
            ))}
          </fieldset>
        )}
        <FailureNote text={failure} />
        <div class="choices">
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={name.trim() === ''}>
            {t('Save')}
          </Button>
          <Button onClick={onClose}>{t('Cancel')}</Button>
        </div>
      </form>
    </Sheet>
  );
}
