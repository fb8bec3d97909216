import type { SessionView } from '../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import queuedStyle from '../styles/queued.css?inline';
import { Button, Icon } from '../ui/button.tsx';

adoptStyle(queuedStyle);

interface QueuedMessagesProps {
  readonly queued: SessionView['queued'];
  /** Undefined without the scope `send`. */
  readonly onRemove: ((messageId: string) => Promise<unknown>) | undefined;
}

/** Messages that wait for the agent (UI-13). */
export function QueuedMessages({ queued, onRemove }: QueuedMessagesProps) {
  const { isBusy, failure, run } = useAsyncAction();
  if (queued.length === 0) return null;
  return (
    <section class="queued" aria-label={t('Queued messages')}>
      <h2>{queued.length === 1 ? t('Queued') : t('{count} queued', { count: queued.length })}</h2>
      <ul>
        {queued.map(({ id, text, attachments = [] }) => (
          <li key={id}>
            <span class="text" dir="auto">
              {escapeInvisible([text, ...attachments.map(({ name }) => `[${name}]`)].join(' '))}
            </span>
            {onRemove !== undefined && (
              <Button
                kind="icon"
                disabled={isBusy}
                aria-label={t('Remove: {text}', { text: escapeInvisible(text).slice(0, 60) })}
                onClick={() => void run(() => onRemove(id))}
              >
                <Icon name="close" />
              </Button>
            )}
          </li>
        ))}
      </ul>
      <FailureNote text={failure} />
    </section>
  );
}
