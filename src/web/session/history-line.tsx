import type { CliSessionView, SessionView } from '../../protocol/types.ts';
import type { HistoryState } from '../hooks/use-session.ts';
import { escapeInvisible, visibleText } from '../../protocol/escapes.ts';
import { failureText } from '../model/failure.ts';
import { t, tn, tx } from '../model/language.ts';
import { Button, Icon } from '../ui/button.tsx';

interface HistoryLineProps {
  readonly session: SessionView;
  readonly history: HistoryState;
  readonly onAgain: () => void;
}

/** Where the imported part of the conversation comes from; its loading, and its failure. */
export function HistoryLine({ session, history, onAgain }: HistoryLineProps) {
  const sources = session.cliSessions.filter(({ entries }) => entries > 0);
  const names = [...new Set(sources.map(({ provider }) => providerName(provider)))].join(
    t(' and '),
  );
  const [first] = sources;
  if (first === undefined) return null;
  if (history.status === 'failed')
    return (
      <div class="history-line failed" role="alert">
        <p>
          {t('The history from {names} could not be loaded. {reason}', {
            names,
            reason: failureText(history.cause),
          })}
        </p>
        <Button onClick={onAgain}>
          <Icon name="retry" />
          {t('Try again')}
        </Button>
      </div>
    );
  const total = entryCount(sources.reduce((sum, { entries }) => sum + entries, 0));
  return (
    <p class="history-line" role="status">
      {history.status === 'loading'
        ? t('Loading the history from {names}…', { names })
        : tx('History from {names} · {entries} · {source}', {
            names,
            entries: total,
            source:
              sources.length === 1 ? (
                <OneSource source={first} />
              ) : (
                t('{count} conversations', { count: sources.length })
              ),
          })}
    </p>
  );
}

function OneSource({ source: { cliSessionId, cwd } }: { readonly source: CliSessionView }) {
  return (
    <>
      <span class="code" title={cliSessionId}>
        {shortCliId(cliSessionId)}
      </span>
      {cwd !== undefined && (
        <>
          {' · '}
          <bdi class="code folder" title={cwd}>
            {escapeInvisible(cwd)}
          </bdi>
        </>
      )}
    </>
  );
}

/** The conversations of command-line agents that belong to the session. */
export function CliSessionsPanel({ sources }: { readonly sources: readonly CliSessionView[] }) {
  if (sources.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="cli-title">
      <h3 id="cli-title">{t('Command-line conversations')}</h3>
      <ul class="lines">
        {sources.map(({ provider, cliSessionId, cwd, model, entries }) => (
          <li key={`${provider} ${cliSessionId}`}>
            <span class="line">
              <strong>
                {providerName(provider)} <span class="code">{shortCliId(cliSessionId)}</span>
              </strong>
              <span class="about">
                {[cwd, model].map((part) => part && `${escapeInvisible(part)}, `)}
                {entries === 0 ? t('no history imported yet') : entryCount(entries)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const PROVIDERS: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
};

function providerName(provider: string): string {
  return (Object.hasOwn(PROVIDERS, provider) && PROVIDERS[provider]) || visibleText(provider);
}

const SHORT_ID_CHARS = 14;
const ID_START_CHARS = 8;
const END_CHARS = 4;

/** Both ends: ids that begin with their time have the same start for a minute. */
function shortCliId(cliSessionId: string): string {
  const id = visibleText(cliSessionId);
  return id.length <= SHORT_ID_CHARS
    ? id
    : `${id.slice(0, ID_START_CHARS)}…${id.slice(-END_CHARS)}`;
}

function entryCount(entries: number): string {
  return tn(entries, '1 entry', '{count} entries');
}
