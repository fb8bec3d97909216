import { TEXT_CHARS } from '../../protocol/limits.ts';
import { useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { saveMessageDraft } from '../model/drafts.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import type { Location } from '../model/location.ts';
import { type Beginning, startersFor } from '../model/starters.ts';
import { t, tn } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import firstStyle from '../styles/first.css?inline';
import { Brand } from '../ui/brand.tsx';
import { Button, Icon } from '../ui/button.tsx';
import { InboxLink } from './inbox-link.tsx';

adoptStyle(firstStyle);

interface FirstScreenProps {
  /** The `agent` field of `GET /health`; undefined until it arrives. */
  readonly agent: string | undefined;
  readonly canStart: boolean;
  readonly transport: Transport;
  readonly store: KeyValueStore;
  readonly onGo: (location: Location) => void;
  /** All open requests of the workspace. */
  readonly waiting: number;
  readonly onMenu: () => void;
}

const MAX_NEW_TITLE_CHARS = 60;
const NO_DEADLINES = { approval: null, question: null, plan_review: null, form: null };

/** The first screen of a newcomer: one press away from a first request. */
export function FirstScreen(props: FirstScreenProps) {
  const { agent, canStart, transport, store, onGo, waiting, onMenu } = props;
  const [text, setText] = useState('');
  const { isBusy, failure, run } = useAsyncAction();
  const begin = async ({ title, text: first, permissionMode }: Beginning) => {
    const session = await transport.createSession({
      agent: {},
      title: title ?? first.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_NEW_TITLE_CHARS),
      ...(permissionMode !== undefined && { permissionMode }),
      // What a newcomer tries still waits after lunch.
      ...(agent === 'demo' && { timeouts: NO_DEADLINES }),
    });
    // A failed message becomes a draft, and the composer shows the error.
    await transport
      .sendMessage(session.id, first)
      .routed.catch(() => saveMessageDraft(store, session.id, first));
    onGo({ session: session.id });
  };
  const start = (how: Beginning) => void run(() => begin(how));
  const canWrite = canStart && agent !== undefined && agent !== 'none';
  return (
    <main class="first" tabIndex={-1}>
      <header class="top narrow-only">
        <span class="in-bottom-bar">
          <Button kind="icon" aria-label={t('Sessions')} onClick={onMenu}>
            <Icon name="menu" />
          </Button>
        </span>
        <Brand />
        <span class="in-bottom-bar">
          <InboxLink waiting={waiting} />
        </span>
      </header>
      <div class="first-content">
        {waiting > 0 && (
          <a class="waits-first" href="/inbox">
            <strong>
              {tn(waiting, '{count} request waits for you', '{count} requests wait for you')}
            </strong>
            <Icon name="chevron" />
          </a>
        )}
        <h1>{t('What should the agent do?')}</h1>
        <p class="lead">{leadOf(agent, canStart)}</p>
        {canWrite && (
          <>
            <form
              class="composer-box"
              onSubmit={(event) => {
                event.preventDefault();
                if (text.trim() !== '') start({ text });
              }}
            >
              <textarea
                rows={2}
                dir="auto"
                value={text}
                maxLength={TEXT_CHARS}
                aria-label={t('First message')}
                placeholder={t('Write a message')}
                onInput={(event) => setText(event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
                  event.preventDefault();
                  event.currentTarget.form?.requestSubmit();
                }}
              />
              <Button
                kind="primary"
                type="submit"
                isBusy={isBusy}
                disabled={text.trim() === ''}
                aria-label={t('Send')}
              >
                <Icon name="send" />
              </Button>
            </form>
            <FailureNote text={failure} />
            <h2>{agent === 'demo' ? t('Scenarios to try') : t('Or begin with one of these')}</h2>
            <ul class="scenarios">
              {startersFor(agent).map((scenario) => (
                <li key={scenario.title}>
                  <button
                    type="button"
                    class="scenario"
                    disabled={isBusy}
                    onClick={() => start(scenario)}
                  >
                    <strong>{scenario.title}</strong>
                    <span class="about">{scenario.about}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </main>
  );
}

function leadOf(agent: string | undefined, canStart: boolean): string {
  if (!canStart) return t('Choose a session from the list. Your link does not let you begin one.');
  if (agent === undefined) return '';
  if (agent === 'none')
    return t(
      'This server has no agent of its own. Sessions that agents elsewhere begin appear in the list, and what they ask waits in the inbox.',
    );
  if (agent === 'demo')
    return t(
      'Demo mode: a scripted agent, no model connected. Try every kind of request without a key.',
    );
  return t('It asks before it acts. You answer here, on any device, whenever you come back.');
}
