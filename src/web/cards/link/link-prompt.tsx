import { useRef, useState } from 'preact/hooks';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { isLong } from '../../model/folding.ts';
import { readLink, type ShownLink } from '../../model/cards/link-request.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { withKey } from '../card-keys.ts';
import type { CardBodyProps } from '../card-props.ts';
import { AgentExplanation } from '../parts/agent-explanation.tsx';
import { DeclineForm } from '../parts/reason-form.tsx';
import { useReason } from '../use-draft.ts';
import { adoptStyle } from '../../styles/adopt-style.ts';
import linkStyle from '../../styles/link.css?inline';
import { useArmed } from '../use-armed.ts';
import { ReviewHint, useSeen } from '../use-seen.tsx';

adoptStyle(linkStyle);

/** An address that a person opens for the agent: the host largest, the address whole, opened only by a press. */
export function LinkPrompt(props: CardBodyProps) {
  const { answering, clock, position, isLive } = props;
  const { record, isBusy } = answering;
  const link = readLink(record.request);
  const reason = useReason(props);
  const [isDeclining, setDeclining] = useState(reason.wasKept);
  const [isWhole, setWhole] = useState(() => !isLong(link?.message ?? ''));
  const shown = useRef<HTMLDivElement>(null);
  const { isSeen, isMissing, showRest } = useSeen(shown, record.inputDigest, isWhole);
  const isArmed = useArmed(
    clock,
    `${record.inputDigest} ${String(position)} ${isDeclining} ${isSeen}`,
  );
  if (link === undefined) {
    return (
      <JsonView value={record.request} label={t('Request of {tool}', { tool: record.toolName })} />
    );
  }
  const isOpened = record.linkOpened === true;
  const mayOpen = isLive && isSeen && isArmed;
  const open = (event: MouseEvent) => {
    if (!mayOpen || isBusy) return event.preventDefault();
    // The browser opens the address; this says so.
    if (!isOpened) void answering.give({ opened: true });
  };
  return (
    <div class="card-part">
      <div ref={shown}>
        <AgentExplanation text={link.message} onWhole={() => setWhole(true)} />
        <ShownAddress link={link} />
      </div>
      {record.status === 'open' && isOpened && (
        <p class="card-note">{t('Opened. The agent says when it is finished; so can you.')}</p>
      )}
      {record.outcome === 'denied' && record.reason !== undefined && (
        <p class="given-reason" dir="auto">
          {escapeInvisible(record.reason)}
        </p>
      )}
      {isLive && isDeclining && (
        <DeclineForm {...{ answering, reason, isBusy }} onCancel={() => setDeclining(false)} />
      )}
      {isLive && !isDeclining && (
        <div class="card-actions">
          <a
            class={`button ${isOpened ? 'plain' : 'primary'}${isMissing ? ' missing' : ''}`}
            href={link.href}
            target="_blank"
            rel="noopener noreferrer"
            aria-disabled={!isSeen || !isArmed || undefined}
            onClick={open}
            onAuxClick={open}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
          >
            {isOpened ? t('Open it again') : t('Open in a new tab')}
          </a>
          {isOpened && (
            <Button
              kind="primary"
              isBusy={isBusy}
              onClick={() => void answering.give({ done: true })}
            >
              {t('It is done')}
            </Button>
          )}
          <Button
            kind="quiet"
            {...withKey('d', props.isInInbox)}
            disabled={isBusy}
            onClick={() => setDeclining(true)}
          >
            {t('Decline…')}
          </Button>
          {isMissing && (
            <ReviewHint id={`${record.interactionId}-seen`} onShow={showRest}>
              {t('Review the full address before opening it')}
            </ReviewHint>
          )}
        </div>
      )}
    </div>
  );
}

function ShownAddress({ link: { host, href, isPunycode } }: { readonly link: ShownLink }) {
  return (
    <>
      <dl class="link-address">
        <div>
          <dt>{t('Leads to')}</dt>
          <dd class="link-host">{host}</dd>
        </div>
        <div>
          <dt>{t('Whole address')}</dt>
          <dd class="link-href">{href}</dd>
        </div>
      </dl>
      {isPunycode && (
        <p class="card-note">
          {t(
            'Part of this name is written in letters of another alphabet, which may look like the name of another site.',
          )}
        </p>
      )}
    </>
  );
}
