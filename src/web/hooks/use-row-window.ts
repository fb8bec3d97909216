/** The rows of a conversation that are drawn: the last ones, and further back as far as the person has asked. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Turn } from '../../client/timeline/index.ts';
import type { Interaction } from '../../protocol/types.ts';
import * as model from '../model/rows.ts';
import { interactionElementId } from './interaction-element.ts';
import type { Stick } from './use-stick-to-end.ts';

export interface RowWindow {
  readonly rows: readonly model.Row[];
  /** There are earlier rows. */
  readonly hasEarlier: boolean;
  readonly showEarlier: () => void;
  /** Open interactions above the drawn rows. */
  readonly above: readonly Interaction[];
  readonly reveal: (sought: model.Sought) => void;
}

export function useRowWindow(
  turns: readonly Turn[],
  open: readonly Interaction[],
  stick: Stick,
  /** Grows with each imported history, whose rows come before the drawn ones. */
  histories: number,
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
    hasEarlier: hidden > 0,
    showEarlier() {
      stick.holdPlace();
      setHidden(Math.max(0, hidden - model.MORE_ROWS));
    },
    above:
      hidden === 0
        ? []
        : open.filter((one) => (model.findRow(turns, total, one)?.index ?? total) < hidden),
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
