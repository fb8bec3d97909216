import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';
import { cardToneOf, overtakenWords, type Viewer } from '../model/cards/outcome-words.ts';
import { CardAudience, CardStatus } from './parts/card-status.tsx';
import type { AnswerState } from './use-answer.ts';
import { t } from '../model/language.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import type { RowParts } from './settled-row.tsx';

interface CardFrameProps {
  readonly answering: AnswerState;
  readonly me: Viewer;
  readonly clock: ServerClock;
  readonly isLive: boolean;
  /** The viewer has the scope `answer`, and is asked as far as known. */
  readonly isForMe: boolean;
  readonly notes: readonly (string | false | undefined)[];
  /** For example "Approval". */
  readonly kind: string;
  readonly title: ComponentChildren;
  /** Which of several sessions like it this is, and who else looks at it just now. */
  readonly onlookers: ComponentChildren;
  /** Drawn as one row, with these parts behind a press. */
  readonly row: RowParts | undefined;
  readonly children: ComponentChildren;
}

/** The part that all cards share: the head with the status, the notes, and the animation of the height. */
export function CardFrame({
  answering,
  me,
  clock,
  isLive,
  isForMe,
  notes,
  kind,
  title,
  onlookers,
  row,
  children,
}: CardFrameProps) {
  const { record, isFromElsewhere } = answering;
  const id = useId();
  const later = useLaterParts(row === undefined ? 'never' : 'now');
  const card = useRef<HTMLElement>(null);
  const isOpen = record.status === 'open';
  useCalmHeight(card, record.status);
  return (
    <article
      ref={card}
      class={`card ${cardToneOf(record, me)} ${record.status}${row ? ' as-row' : ''}`}
      aria-labelledby={id}
      // An open card is one tab stop: digits work on it, and a screen reader reads all of it.
      tabIndex={isOpen ? 0 : -1}
      data-interaction={record.interactionId}
    >
      {row ? (
        later && <later.SettledRow {...{ record, me, clock, row, id, title }} />
      ) : (
        <header class="card-head">
          <p class="card-kind">
            {kind}
            {isOpen && (
              <span class="card-waits">{isForMe ? t('Waiting for you') : t('Waiting')}</span>
            )}
            {isOpen && onlookers}
          </p>
          <h2 id={id}>{title}</h2>
          <CardStatus
            {...{ record, me, clock }}
            onExtend={isLive ? () => void answering.extend() : undefined}
          />
        </header>
      )}
      {!row && <CardAudience record={record} />}
      {/* The same element before and after: a screen reader announces what changes in it. */}
      <p class="unseen" role="status" key="news">
        {!isOpen && isFromElsewhere && t('{event} just now', { event: overtakenWords(record, me) })}
      </p>
      <div class="card-body">{children}</div>
      {isOpen && <CardNotes {...{ notes, answering }} />}
    </article>
  );
}

const CALM_MS = 220;

/** Animates a card that changes height with its state, unless the person prefers reduced motion. */
function useCalmHeight(element: RefObject<HTMLElement | null>, state: unknown): void {
  const before = useRef<{ height: number; state: unknown }>(undefined);
  useLayoutEffect(() => {
    const card = element.current;
    if (card === null) return;
    const height = card.offsetHeight;
    const last = before.current;
    before.current = { height, state };
    if (last === undefined || last.state === state || last.height === height) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    card.animate(
      [
        { height: `${last.height}px`, overflow: 'clip' },
        { height: `${height}px`, overflow: 'clip' },
      ],
      { duration: CALM_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
    );
  });
}

/** Notes to read before answering, and the reason why an answer failed. */
function CardNotes({ notes, answering }: Pick<CardFrameProps, 'notes' | 'answering'>) {
  const { failure, isUnsent, sendNow, dismissFailure } = answering;
  return (
    <>
      {notes.map(
        (note) =>
          note !== false &&
          note !== undefined && (
            <p class="card-note" dir="auto">
              {note}
            </p>
          ),
      )}
      <div role="alert">
        {failure !== undefined && (
          <p class="card-failure">
            <span>{failure.text}</span>
            {isUnsent && (
              <button type="button" class="link" onClick={sendNow}>
                {t('Retry now')}
              </button>
            )}
            <button type="button" class="link" onClick={dismissFailure}>
              {isUnsent ? t('Don’t send') : t('Dismiss')}
            </button>
          </p>
        )}
      </div>
    </>
  );
}
