import { useCallback, useState } from 'preact/hooks';
import type { ListedKey } from '../../../protocol/types.ts';
import { type ServerClock, useNow } from '../../clock.ts';
import { t, tn } from '../../model/language.ts';
import { absoluteTime, MINUTE_MS, relativeTime } from '../../model/times.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Literal } from '../../ui/literal.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { CopyField } from '../targets-secret.tsx';
import type { AdminRequests } from './admin-requests.ts';
import { KeyForm } from './key-form.tsx';
import { LoadState } from './load-state.tsx';
import { useLoaded } from './use-loaded.ts';

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
            {absoluteTime(createdAt)} · <Literal text={createdBy} />
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
