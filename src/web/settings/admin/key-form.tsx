import { useState } from 'preact/hooks';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { t } from '../../model/language.ts';
import { DAY_MS } from '../../model/times.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Check, TextField } from '../form-fields.tsx';
import type { NewKey } from './admin-requests.ts';

interface KeyFormProps {
  readonly now: number;
  readonly onCreate: (key: NewKey) => Promise<void>;
  readonly onClose: () => void;
}

const SCOPES = ['agent', 'read', 'answer', 'send', 'admin'] as const;
type KeyScope = (typeof SCOPES)[number];

function scopeWords(scope: KeyScope): string {
  switch (scope) {
    case 'agent':
      return t('Ask people and report what it does (agent)');
    case 'read':
      return t('Read sessions and the inbox (read)');
    case 'answer':
      return t('Answer requests (answer)');
    case 'send':
      return t('Write to agents (send)');
    case 'admin':
      return t('Everything, also keys and settings (admin)');
  }
}

const DAYS = [7, 30, 90, 365] as const;

/** The name, the rights and the expiry of a new key. */
export function KeyForm({ now, onCreate, onClose }: KeyFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['agent']);
  const [days, setDays] = useState(90);
  const [isTried, setTried] = useState(false);
  const { isBusy, failure, run } = useAsyncAction();
  const nameProblem = name.trim() === '' ? t('Give it a name') : undefined;
  const scopeProblem = scopes.length === 0 ? t('Choose at least one') : undefined;
  const toggle = (scope: KeyScope) =>
    setScopes((before) =>
      before.includes(scope) ? before.filter((one) => one !== scope) : [...before, scope],
    );
  const submit = async (event: Event) => {
    event.preventDefault();
    setTried(true);
    if (nameProblem !== undefined || scopeProblem !== undefined) return;
    const expiry = days === 0 ? {} : { expiresAt: Math.round(now + days * DAY_MS) };
    await run(() =>
      onCreate({
        name: name.trim(),
        scopes: SCOPES.filter((one) => scopes.includes(one)),
        ...expiry,
      }),
    );
  };
  return (
    <Sheet title={t('Create key')} side="middle" onClose={onClose}>
      <form class="target-form" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          id="key-name"
          label={t('Name')}
          hint={t('Who will use it. It stands beside everything that the key does.')}
          value={name}
          problem={isTried ? nameProblem : undefined}
          onWrite={setName}
        />
        <fieldset class="checks">
          <legend>{t('It may')}</legend>
          {SCOPES.map((scope) => (
            <Check
              key={scope}
              words={scopeWords(scope)}
              isChecked={scopes.includes(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
          {isTried && scopeProblem !== undefined && <p class="failure">{scopeProblem}</p>}
        </fieldset>
        <div class="text-field">
          <label for="key-expiry">{t('Expires')}</label>
          <select
            id="key-expiry"
            value={String(days)}
            onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          >
            {DAYS.map((count) => (
              <option key={count} value={String(count)}>
                {t('In {count} days', { count })}
              </option>
            ))}
            <option value="0">{t('Never')}</option>
          </select>
        </div>
        <FailureNote text={failure} />
        <div class="choices">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('Create key')}
          </Button>
          <Button onClick={onClose}>{t('Cancel')}</Button>
        </div>
      </form>
    </Sheet>
  );
}
