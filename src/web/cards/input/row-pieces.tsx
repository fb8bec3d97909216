/**
 * Many rows of one height, drawn piece by piece as they come near the window, and kept from then on.
 *
 * A piece that is not drawn is as high as its rows will be, and `watch-seen.ts` counts nothing of it as seen.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** So many rows are drawn at once. */
const FEW_ROWS = 240;
const PIECE_ROWS = 40;
/** About two windows: a piece is there before the reader is. */
const NEAR_PX = 1_600;

interface RowPiecesProps {
  readonly count: number;
  readonly draw: (from: number, to: number) => ComponentChildren;
}

export function RowPieces({ count, draw }: RowPiecesProps) {
  if (count <= FEW_ROWS) return <>{draw(0, count)}</>;
  const pieces = Array.from({ length: Math.ceil(count / PIECE_ROWS) }, (_, at) => at * PIECE_ROWS);
  return (
    <>
      {pieces.map((from) => (
        <Piece key={from} from={from} to={Math.min(count, from + PIECE_ROWS)} draw={draw} />
      ))}
    </>
  );
}

interface PieceProps extends Pick<RowPiecesProps, 'draw'> {
  readonly from: number;
  readonly to: number;
}

function Piece({ from, to, draw }: PieceProps) {
  const [isDrawn, setDrawn] = useState(from === 0);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const piece = element.current;
    if (isDrawn || piece === null) return;
    const observer = new IntersectionObserver(
      (entries) =>
        entries.some(({ isIntersecting }) => isIntersecting) && drawSoon(() => setDrawn(true)),
      // Without the scroller as its root, the margin would end at the edge of the scroller.
      { root: scrollerOf(piece), rootMargin: `${NEAR_PX}px 0px` },
    );
    observer.observe(piece);
    return () => observer.disconnect();
  }, [isDrawn]);
  return (
    <div
      ref={element}
      class="piece"
      data-piece={isDrawn ? 'drawn' : 'waiting'}
      style={isDrawn ? undefined : { '--rows': to - from }}
    >
      {isDrawn && draw(from, to)}
    </div>
  );
}

const waiting: (() => void)[] = [];

/** A piece in each task: a jump brings several near at once, and a slow phone would freeze on all of them. */
function drawSoon(draw: () => void): void {
  if (waiting.push(draw) > 1) return;
  const next = () => {
    const first = waiting.shift();
    if (waiting.length > 0) setTimeout(next);
    first?.();
  };
  setTimeout(next);
}

function scrollerOf(element: Element): Element | null {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (at === document.body) return null;
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}
