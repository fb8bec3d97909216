import type { SummaryBlock } from '../../client/timeline/index.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { formatNumber, t } from '../model/language.ts';
import { personName } from '../model/names.ts';
import { Button, Icon } from '../ui/button.tsx';
import type { CardContext } from '../cards/card-props.ts';

interface SummaryRowProps extends Pick<CardContext, 'restorable' | 'session' | 'transport'> {
  readonly event: SummaryBlock['event'];
}

/** What the agent reads in the place of the messages above and the way back to them, or that a person took it. */
export function SummaryRow({ event, restorable, session, transport }: SummaryRowProps) {
  const { isBusy, failure, run } = useAsyncAction();
  if (event.type === 'conversation_restored') {
    const who = personName(event.payload.by);
    return t('{who} took a summary back: the agent reads the whole conversation again', { who });
  }
  const { summary, tokensBefore, tokensAfter } = event.payload;
  const [before, after] = [formatNumber(tokensBefore), formatNumber(tokensAfter)];
  return (
    <>
      <p>{t('Conversation summarized: {before} → {after} tokens', { before, after })}</p>
      <details class="summarized">
        <summary>{t('Show the summary')}</summary>
        <p dir="auto">{escapeInvisible(summary)}</p>
      </details>
      {restorable === event.seq && (
        <Button
          kind="quiet"
          isBusy={isBusy}
          onClick={() => void run(() => transport.restoreConversation(session.id, event.seq))}
        >
          <Icon name="retry" />
          {t('Use the whole conversation again')}
        </Button>
      )}
      <FailureNote text={failure} />
    </>
  );
}
