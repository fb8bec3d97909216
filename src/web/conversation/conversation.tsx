import { useEffect, useMemo, useRef, useState, useLayoutEffect } from 'preact/hooks';
import type { Timeline, Turn } from '../../client/timeline/index.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import { useStickToEnd, type Stick } from '../hooks/use-stick-to-end.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import * as model from '../model/rows.ts';
import { canRetry, rowsWithoutHeading, type Sought } from '../model/rows.ts';
import { endText } from '../model/session-words.ts';
import { t, tn } from '../model/language.ts';
import { Button, Icon } from '../ui/button.tsx';
import type { Interaction } from '../../protocol/types.ts';
import { interactionElementId } from '../hooks/interaction-element.ts';
import { BlockRow, type BlockRowProps } from './block-row.tsx';
import type { CardContext } from '../cards/card-props.ts';

interface ConversationProps {
  readonly timeline: Timeline;
  /** How many imported histories were drawn, one after the other. */
  readonly histories?: number | undefined;
  readonly context: CardContext;
  /** What the agent is doing; undefined while it is idle. */
  readonly typing: string | undefined;
  /** What a link points to; undefined until it can be shown. */
  readonly shown?: Sought | undefined;
  readonly onRetry: ((turn: Turn) => Promise<unknown>) | undefined;
  /** Loads events before the loaded ones; undefined where there are none. */
  readonly onEarlier?: (() => Promise<unknown>) | undefined;
  /** Leads to a request whose events may not be loaded. */
  readonly onSeek?: ((sought: Sought) => void) | undefined;
}

/** The messages and tool calls, from as far back as the person has scrolled. */
export function Conversation(props: ConversationProps) {
  const { timeline, histories = 0, context, typing, shown, onRetry, onEarlier, onSeek } = props;
  const { turns } = timeline;
  const { open } = context;
  const stick = useStickToEnd(open);
  const loading = useAsyncAction();
  const { rows, hasEarlier, showEarlier, above, reveal } = useRowWindow(
    turns,
    open,
    stick,
    histories,
    onEarlier && (() => void (loading.isBusy || loading.run(onEarlier))),
  );
  const [first] = above;
  const unheaded = rowsWithoutHeading(rows);
  const later = useLaterParts();
  const days = later?.findDayStarts(rows, context.clock.now());
  const revealed = useRef<ConversationProps['shown']>(undefined);
  useEffect(() => {
    // Only once: a reconnect must not scroll back there.
    if (shown === undefined || shown === revealed.current) return;
    revealed.current = shown;
    reveal(shown);
  }, [shown]);
  return (
    <div class="conversation-frame">
      {first !== undefined && (
        <div class="float above">
          <Button onClick={() => (onSeek ?? reveal)({ interactionId: first.interactionId })}>
            <Icon name="hand" />

            {tn(above.length, '1 waiting for you further up', '{count} waiting for you further up')}
          </Button>
        </div>
      )}
      <div
        class="conversation"
        ref={stick.frame}
        onClickCapture={({ target }) => {
          if (target instanceof Element && target.closest('summary, .link') !== null)
            stick.onUnfold();
        }}
        role="region"
        aria-label={t('Conversation')}
        tabIndex={0}
      >
        <div class="rows" ref={stick.content}>
          {hasEarlier && (
            <Earlier onShow={showEarlier} isBusy={loading.isBusy} failure={loading.failure} />
          )}
          {rows.map((row) =>
            row.type === 'end' ? (
              <div class="row" key={row.key} data-row={row.key}>
                <Day at={days?.get(row)} {...{ later, context }} />
                <TurnEndRow
                  turn={row.turn}
                  later={later}
                  onRetry={
                    onRetry !== undefined && canRetry(turns, row.turn)
                      ? () => onRetry(row.turn)
                      : undefined
                  }
                />
              </div>
            ) : (
              <div class={`row of-${row.block.type}`} key={row.key} data-row={row.key}>
                <Day at={days?.get(row)} {...{ later, context }} />
                {unheaded.has(row) && (
                  <h2 class="unseen">{escapeInvisible(row.turn.title ?? t('The agent'))}</h2>
                )}
                <SameBlock block={row.block} context={context} later={later} />
              </div>
            ),
          )}
          <TypingIndicator text={typing} />
        </div>
      </div>
      {!stick.isAtEnd && (
        <div class="float below">
          <Button onClick={stick.toEnd}>
            <Icon name="down" />
            {t('Newest')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** An unchanged block is not drawn again. */
function SameBlock({ block, context, later }: BlockRowProps) {
  return useMemo(() => <BlockRow {...{ block, context, later }} />, [block, context, later]);
}

interface DayProps extends Pick<BlockRowProps, 'context' | 'later'> {
  /** Undefined where no day begins. */
  readonly at: number | undefined;
}

function Day({ at, context, later }: DayProps) {
  return at && later ? <later.DayName at={at} clock={context.clock} /> : null;
}

interface EarlierProps {
  readonly onShow: () => void;
  readonly isBusy: boolean;
  readonly failure: string | undefined;
}

/** Loads earlier rows when it scrolls into view; the button is for people who do not scroll, and after a failure. */
function Earlier({ onShow, isBusy, failure }: EarlierProps) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const isWaiting = isBusy || failure !== undefined;
  useEffect(() => {
    if (element === null || isWaiting) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) onShow();
    });
    observer.observe(element);
    return () => observer.disconnect();
  });
  return (
    <div class="earlier" ref={setElement}>
      <Button kind="quiet" isBusy={isBusy} onClick={onShow}>
        {t('Show earlier')}
      </Button>
      <FailureNote text={failure} />
    </div>
  );
}

/** The agent is working and no request is open (PEND-6). The height is reserved, so that nothing jumps. */
function TypingIndicator({ text }: { readonly text: string | undefined }) {
  return (
    <div class="typing" aria-hidden="true">
      {text !== undefined && (
        <>
          <span class="dots">
            <i />
            <i />
            <i />
          </span>
          {text}
        </>
      )}
    </div>
  );
}

interface TurnEndRowProps {
  readonly turn: Turn;
  readonly later: BlockRowProps['later'];
  /** Undefined where the turn cannot be retried. */
  readonly onRetry: (() => Promise<unknown>) | undefined;
}

/** How a turn ended, unless it completed normally, and the tokens that it took. */
function TurnEndRow({ turn, later, onRetry }: TurnEndRowProps) {
  const { isBusy, failure, run } = useAsyncAction();
  if (turn.ended === undefined) return null;
  const { reason, message, usage } = turn.ended;
  const tokens = later && <later.UsageLine usage={usage} />;
  if (reason === 'completed' && message === undefined) return tokens ?? null;
  const isFailure = reason === 'error';
  return (
    <div class={isFailure ? 'turn-failure' : 'notice'}>
      <p>{endText(turn.ended)}</p>
      {onRetry !== undefined && (
        <Button isBusy={isBusy} onClick={() => void run(onRetry)}>
          <Icon name="retry" />
          {t('Try again')}
        </Button>
      )}
      <FailureNote text={failure} />
      {tokens}
    </div>
  );
}

export interface RowWindow {
  readonly rows: readonly model.Row[];
  /** There are earlier rows. */
  readonly hasEarlier: boolean;
  readonly showEarlier: () => void;
  /** Open interactions above the drawn rows. */
  readonly above: readonly Interaction[];
  readonly reveal: (sought: model.Sought) => void;
}

/** The rows of a conversation that are drawn: the last ones, and further back as far as the person has asked. */
function useRowWindow(
  turns: readonly Turn[],
  open: readonly Interaction[],
  stick: Stick,
  /** Grows with each imported history and each page of earlier events, whose rows come before the drawn ones. */
  histories: number,
  /** Undefined where all events are loaded. */
  loadEarlier: (() => void) | undefined,
): RowWindow {
  const [hiddenBefore, setHidden] = useState(0);
  const [wanted, setWanted] = useState<{ readonly key: string; readonly id?: string }>();
  const total = model.countRows(turns);
  const drawn = useRef({ histories, total });
  const isMerged = histories !== drawn.current.histories;
  // Before the rows change: most of them are drawn anew.
  if (isMerged && !stick.isAtEnd) stick.holdPlace();
  const added = isMerged ? total - drawn.current.total : 0;
  const hidden = model.hiddenRows(
    total,
    hiddenBefore + (added > model.MORE_ROWS ? added : 0),
    stick.isAtEnd,
  );
  useEffect(() => {
    drawn.current = { histories, total };
    setHidden(hidden);
  }, [hidden, histories, total]);

  useLayoutEffect(() => {
    if (wanted === undefined) return;
    const found = stick.content.current?.querySelector(`[data-row="${CSS.escape(wanted.key)}"]`);
    // A row may hold more than the card that was asked for.
    const element = found && ((wanted.id && document.getElementById(wanted.id)) || found);
    if (!element) return;
    // An element higher than the window is shown from its top.
    element.scrollIntoView({ block: element.clientHeight > innerHeight / 2 ? 'start' : 'center' });
    if (wanted.id === undefined) element.classList.add('found');
    setWanted(undefined);
  });
  return {
    rows: model.lastRows(turns, total - hidden),
    hasEarlier: hidden > 0 || loadEarlier !== undefined,
    showEarlier() {
      if (hidden === 0) return loadEarlier?.();
      stick.holdPlace();
      setHidden(Math.max(0, hidden - model.MORE_ROWS));
    },
    above:
      hidden === 0 && loadEarlier === undefined
        ? []
        : open.filter((one) => {
            const row = model.findRow(turns, total, one);
            return row === undefined ? loadEarlier !== undefined : row.index < hidden;
          }),
    reveal(sought) {
      const row = model.findRow(turns, total, sought);
      if (row === undefined) return;
      stick.leaveEnd();
      setHidden(Math.min(hidden, row.index));
      const isCard = 'interactionId' in sought;
      setWanted({ ...row, ...(isCard && { id: interactionElementId(sought.interactionId) }) });
    },
  };
}
