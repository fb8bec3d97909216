import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { freshKey } from '../../client/requests/http-calls.ts';
import type { Transport } from '../../client/transport.ts';
import { visibleText } from '../../protocol/escapes.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { CONNECTABLE_AGENTS } from '../model/agent-snippets.ts';
import * as model from '../model/first-request.ts';
import { addressOf } from '../model/location.ts';
import { hasScope, type Person } from '../model/person.ts';
import { sessionTitleOf } from '../model/sessions-list.ts';
import { t, tx } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import connectStyle from '../styles/connect.css?inline';
import { Button, Icon } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import type { KeyRequests, MadeKey } from './settings-requests.ts';

adoptStyle(connectStyle);

interface ConnectAgentProps {
  readonly person: Person;
  readonly transport: Pick<Transport, 'subscribeInbox'>;
  readonly keys: (person: Person) => KeyRequests;
}

/** Chooses an agent, makes its key, shows what to paste, and reports its first request. */
export function ConnectAgent({ person, transport, keys }: ConnectAgentProps) {
  const requests = useMemo(() => keys(person), [keys, person]);
  const [chosen, setChosen] = useState(CONNECTABLE_AGENTS[0]?.id);
  const [session] = useState(() => `try-${freshKey().slice(0, 8)}`);
  const [made, setMade] = useState<Readonly<Record<string, MadeKey>>>({});
  const { isBusy, failure, run } = useAsyncAction();
  const agent = CONNECTABLE_AGENTS.find(({ id }) => id === chosen);
  const mayMakeKeys = hasScope(person, 'admin');
  const key = agent && made[agent.id];
  const seen = useSeenRequests(transport);
  const first = model.findFirstRequest(seen, { key: key?.id, own: person.credential });
  if (agent === undefined) return null;
  const make = async () => {
    const fresh = await requests.create(agent.name());
    setMade((before) => ({ ...before, [agent.id]: fresh }));
  };
  const isReady = key !== undefined || !mayMakeKeys;
  return (
    <section class="settings-section" aria-labelledby="connect-title">
      <div class="settings-head">
        <h2 id="connect-title">{t('Connect an agent')}</h2>
      </div>
      <p class="muted">{t('It asks here before it acts, and waits until a person answers.')}</p>
      <fieldset class="agents">
        <legend>{t('Which agent?')}</legend>
        {CONNECTABLE_AGENTS.map(({ id, name, about }) => (
          <label key={id} class="agent-choice">
            <input
              type="radio"
              name="agent"
              checked={id === chosen}
              onChange={() => setChosen(id)}
            />
            <span>
              <strong>{name()}</strong>
              <span class="about">{about()}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="connect-step">
        <h3>{t('Its key')}</h3>
        {mayMakeKeys ? (
          <>
            <p class="muted">
              {key === undefined
                ? t('With this key it asks. It cannot read what others ask, and cannot answer.')
                : t('The key is below, and is shown only now. To revoke it: {command}', {
                    command: `npm run holdpoint -- keys revoke ${key.id}`,
                  })}
            </p>
            {key === undefined && (
              <p>
                <Button kind="primary" isBusy={isBusy} onClick={() => void run(make)}>
                  {t('Make a key')}
                </Button>
              </p>
            )}
            <FailureNote text={failure} />
          </>
        ) : (
          <p>
            {tx(
              'Only administrators make keys, and you are signed in as {name} without that right. Ask the person who runs this server for the key of an agent. On its own machine {command} keeps one in the file {file} of its data folder.',
              {
                name: visibleText(person.subject),
                command: <code>npm start</code>,
                file: <code>agent-token</code>,
              },
            )}
          </p>
        )}
      </div>
      {isReady && (
        <div class="connect-step">
          <h3>{t('Paste')}</h3>
          {agent.snippets({ url: location.origin, key: key?.secret, session }).map((snippet) => (
            <CopyBlock key={`${agent.id} ${snippet.label}`} {...snippet} />
          ))}
        </div>
      )}
      {isReady && seen.before !== undefined && <FirstRequest entry={first} />}
    </section>
  );
}

function FirstRequest({ entry }: { readonly entry: InboxEntry | undefined }) {
  const title = entry && sessionTitleOf({ id: entry.sessionId, title: entry.sessionTitle });
  return (
    <div role="status" class={`connect-result ${entry === undefined ? '' : 'connected'}`}>
      {entry === undefined ? (
        <p>{t('Waiting for its first request. It appears here by itself.')}</p>
      ) : (
        <>
          <Icon name="check" />
          <p>
            <strong>{t('Connected.')}</strong>{' '}
            {t('It asks about {tool} in the session “{session}”.', {
              tool: visibleText(entry.toolName),
              session: visibleText(title ?? ''),
            })}{' '}
            <a
              class="back"
              href={addressOf({ session: entry.sessionId, interaction: entry.interactionId })}
            >
              {t('Answer it')}
            </a>
          </p>
        </>
      )}
    </div>
  );
}

/** Follows the inbox while the screen is open. A call that a rule allows opens no request, and is not seen here. */
function useSeenRequests(transport: ConnectAgentProps['transport']): model.SeenRequests {
  const [seen, setSeen] = useState(model.NO_REQUESTS);
  useEffect(() => {
    const followed = transport.subscribeInbox({
      inbox: ({ interactions }) => setSeen((before) => model.withInbox(before, interactions)),
      changed: ({ upserts }) => setSeen((before) => model.withOpened(before, upserts)),
    });
    return () => followed.close();
  }, [transport]);
  return seen;
}

interface CopyBlockProps {
  readonly label: string;
  readonly text: string;
}

/** Text of several lines to copy as a whole. */
function CopyBlock({ label, text }: CopyBlockProps) {
  const block = useRef<HTMLPreElement>(null);
  const id = useId();
  return (
    <div class="copy-block" role="group" aria-labelledby={id}>
      <div class="copy-head">
        <h4 id={id}>{label}</h4>
        <CopyButton text={text} label={t('Copy: {label}', { label })} shown={block} />
      </div>
      {/* A line that is cut off is scrolled by keyboard. */}
      <pre ref={block} tabIndex={0} aria-labelledby={id}>
        {text}
      </pre>
    </div>
  );
}
