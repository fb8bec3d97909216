/**
 * The presses of keys that decide, and where the cursor goes afterwards.
 *
 * 1. A press is for the request beside the list, or for the bar of the selected ones. It is never kept for another one.
 * 2. A press before its button works is kept until it does: the button has the guards, so that an input that was not all
 *    in the window only leads to its missing part. A move that follows is made after it.
 * 3. A request that came by itself takes no press before it is drawn: that press was for the request before it.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';
import { pressKeyed } from './inbox-keys.ts';

/** A press to move that comes so soon after a decision means the move that the decision made. */
const SAME_MOVE_MS = 1_000;

interface KeptPress {
  readonly within: string;
  readonly key: string;
  /** The key of the request, or the keys of all selected ones. */
  readonly subject: string;
  readonly after?: () => void;
}

export function useKeptPress(subject: string) {
  const [kept, setKept] = useState<KeptPress>();
  const current = useRef(subject);
  current.current = subject;
  useEffect(() => {
    if (kept === undefined) return;
    let isDone = false;
    const look = () => {
      if (isDone) return;
      const isOther = current.current !== kept.subject;
      const state = isOther ? 'over' : stateOf(kept.within, kept.key);
      if (state === 'waits') return;
      isDone = true;
      setKept(undefined);
      if (state === 'over') return;
      pressKeyed(kept.within, kept.key);
      kept.after?.();
    };
    // The card arrives, its button begins to work, or the answer of another person ends it: each changes the page.
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    look();
    return () => observer.disconnect();
  }, [kept, subject]);
  return {
    isKept: kept !== undefined && kept.subject === subject,
    drop: () => setKept(undefined),
    press(within: string, key: string, mayBeUndrawn: boolean) {
      const isDrawn = document.querySelector(`${within} [data-key="${key}"]`) !== null;
      if (isDrawn || mayBeUndrawn) setKept({ within, key, subject });
    },
    /** True if the move waits for a press. */
    moveAfter(move: () => void): boolean {
      if (kept === undefined || kept.subject !== subject) return false;
      setKept({ ...kept, after: move });
      return true;
    },
  };
}

function stateOf(within: string, key: string): 'works' | 'waits' | 'over' {
  const button = document.querySelector<HTMLElement>(`${within} [data-key="${key}"]`);
  if (button === null) return document.querySelector('.card.settled') === null ? 'waits' : 'over';
  if (button.matches(':disabled')) return 'over';
  const isArming = button.ariaDisabled === 'true' && !button.matches('.missing');
  return isArming ? 'waits' : 'works';
}

/** Which request the person went to by a key, and which one came after a decision. */
export function useOwnMoves(clock: ServerClock) {
  const [own, setOwn] = useState<string>();
  const came = useRef<{ readonly key: string; readonly at: number }>(undefined);
  const isByKey = useRef(false);
  useEffect(() => {
    const onKey = () => {
      isByKey.current = true;
    };
    // A press on a button is not awaited where the next one appears.
    const onPointer = () => {
      isByKey.current = false;
      setOwn(undefined);
    };
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('pointerdown', onPointer, true);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('pointerdown', onPointer, true);
    };
  }, []);
  return {
    own,
    isByKey: () => isByKey.current,
    noteMove: (key: string) => setOwn(key),
    noteCame(key: string) {
      came.current = { key, at: clock.now() };
    },
    /** Whether a move to the next request was just made by the decision on the one before. */
    isMadeAlready(key: string | undefined): boolean {
      const last = came.current;
      came.current = undefined;
      const isMade = last !== undefined && last.key === key && clock.now() - last.at < SAME_MOVE_MS;
      if (isMade) setOwn(last.key);
      return isMade;
    },
  };
}
