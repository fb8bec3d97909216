import { useCallback, useState } from 'preact/hooks';
import type { ListedKey } from '../../../protocol/types.ts';
import { type ServerClock, useNow } from '../../clock.ts';
import { t, tn } from '../../model/language.ts';
import { nameOfSubject } from '../../model/names.ts';
import { absoluteTime } from '../../model/absolute-time.ts';
import { MINUTE_MS, relativeTime, DAY_MS } from '../../model/times.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, Sheet } from '../../ui/sheet.tsx';
import { Literal } from '../../ui/literal.tsx';
import { CopyField } from '../targets-secret.tsx';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { Check, TextField } from '../form-fields.tsx';
import type { AdminRequests, NewKey } from './admin-requests.ts';
import { LoadState, useLoaded } from './use-loaded.tsx';

interface KeysPageProps {
  readonly requests: AdminRequests;
  readonly clock: ServerClock;
}

/** The keys of programs: who has one, what it may do, when it was used, and what ends with it. */
export function KeysPage({ requests, clock }: KeysPageProps) {
  const loaded = useLoaded(useCallback(() => requests.keys(), [requests]));
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const now = useNow(clock, MINUTE_MS);
  const keys = loaded.value;
  return (
    <section class="settings-section" aria-labelledby="keys-title">
      <div class="settings-head">
        <h2 id="keys-title">{t('Keys')}</h2>
        <Button kind="primary" onClick={() => setMaking(true)}>
          {t('Create key')}
        </Button>
      </div>
      <p class="muted">
        {t(
          'Agents, services and scripts sign in with a key. Give each its own: then the audit list says which one acted, and one can be revoked alone.',
        )}
      </p>
      <LoadState loaded={loaded} />
      {keys?.length === 0 && (
        <div class="settings-empty">
          <h3>{t('No keys yet')}</h3>
          <p>{t('Create one for the first agent. It may ask, and nothing else.')}</p>
        </div>
      )}
      {keys !== undefined && keys.length > 0 && (
        <ul class="target-list" aria-label={t('Keys')}>
          {keys.map((key) => (
            <ListedKeyRow
              key={key.id}
              {...{ shown: key, now }}
              onRevoke={async () => {
                await requests.revokeKey(key.id);
                await loaded.reload();
              }}
            />
          ))}
        </ul>
      )}
      {isMaking && (
        <KeyForm
          now={now}
          onClose={() => setMaking(false)}
          onCreate={async (key) => {
            const made = await requests.createKey(key);
            setMaking(false);
            setSecret(made);
            await loaded.reload();
          }}
        />
      )}
      {secret !== undefined && (
        <Sheet title={t('Key created')} side="middle" onClose={() => setSecret(undefined)}>
          <p>{t('Copy it now. It is shown only once.')}</p>
          <CopyField
            label={t('Key')}
            copyWords={t('Copy the key')}
            hint={t('The program sends it as a bearer token, for example from HOLDPOINT_TOKEN.')}
            value={secret}
          />
          <div class="choices">
            <Button kind="primary" onClick={() => setSecret(undefined)}>
              {t('Done')}
            </Button>
          </div>
        </Sheet>
      )}
    </section>
  );
}

interface KeyRowProps {
  readonly shown: ListedKey;
  readonly now: number;
  readonly onRevoke: () => Promise<void>;
}

function ListedKeyRow({ shown, now, onRevoke }: KeyRowProps) {
  const { id, name, scopes, createdAt, createdBy, expiresAt, usedAt, tokens } = shown;
  const endsWith =
    tokens === 0
      ? t('The program that uses it is signed out at once.')
      : tn(
          tokens,
          'The program that uses it is signed out at once, and so is {count} token that was made with it.',
          'The program that uses it is signed out at once, and so are {count} tokens that were made with it.',
        );
  return (
    <li class="target-row">
      <div class="target-line">
        <strong dir="auto">
          <Literal text={name} />
        </strong>
        <span class="key-scopes">
          {scopes.map((scope) => (
            <Badge key={scope} mood={scope === 'admin' ? 'bad' : 'plain'}>
              {scope}
            </Badge>
          ))}
        </span>
      </div>
      <dl class="facts">
        <div>
          <dt>{t('Last used')}</dt>
          <dd>{usedAt === null ? t('Never') : relativeTime(usedAt, now)}</dd>
        </div>
        <div>
          <dt>{t('Created')}</dt>
          <dd>
            {absoluteTime(createdAt)} · <bdi>{nameOfSubject(createdBy)}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('Expires')}</dt>
          <dd>{expiresAt === null ? t('Never') : absoluteTime(expiresAt)}</dd>
        </div>
        <div>
          <dt>{t('Id')}</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
      </dl>
      <div class="choices">
        <ConfirmButton
          words={t('Revoke {name}', { name })}
          warning={endsWith}
          confirm={t('Revoke')}
          onConfirm={onRevoke}
        />
      </div>
    </li>
  );
}

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
function KeyForm({ now, onCreate, onClose }: KeyFormProps) {
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
