/**
 * The end of a conversation as a list of rows, as long as it is asked for.
 *
 * Only so much is drawn as somebody has looked at: a session of many thousand events opens as fast as a
 * short one. It is walked from its end, because its beginning may be far away.
 */
import type { Block, Turn } from '../../client/timeline/index.ts';
import { onlyAsks } from './tool-names.ts';

export type Row =
  | { readonly type: 'block'; readonly key: string; readonly block: Block; readonly turn: Turn }
  /** How a turn ended, where that has to be said. */
  | { readonly type: 'end'; readonly key: string; readonly turn: Turn };

/** As many as are drawn to begin with, and with each look further back. */
export const FIRST_ROWS = 60;
export const MORE_ROWS = 120;
/** Beyond it, whoever reads at the end has the first ones taken away again. */
const MAX_DRAWN_ROWS = 150;

/** How many rows at the beginning are left out: those that were shown stay while others come. */
export function hiddenRows(total: number, hidden: number, isAtEnd: boolean): number {
  return isAtEnd && total - hidden > MAX_DRAWN_ROWS ? total - FIRST_ROWS : hidden;
}

export function countRows(turns: readonly Turn[]): number {
  return turns.reduce((sum, turn) => {
    const blocks = turn.containers.reduce(
      (count, one) => count + one.blocks.filter((block) => !isShownByCard(block)).length,
      0,
    );
    return sum + blocks + (hasEndRow(turn) ? 1 : 0);
  }, 0);
}

export function lastRows(turns: readonly Turn[], count: number): readonly Row[] {
  const rows: Row[] = [];
  for (let at = turns.length - 1; at >= 0 && rows.length < count; at -= 1) {
    const turn = turns[at];
    if (turn === undefined) break;
    for (const row of rowsBackwards(turn)) {
      if (rows.length === count) break;
      rows.push(row);
    }
  }
  return rows.reverse();
}

function* rowsBackwards(turn: Turn): Generator<Row> {
  if (hasEndRow(turn)) yield { type: 'end', key: `${turn.seq} end`, turn };
  for (let at = turn.containers.length - 1; at >= 0; at -= 1) {
    const { id, blocks } = turn.containers[at] ?? { id: '', blocks: [] };
    for (let block = blocks.length - 1; block >= 0; block -= 1) {
      const found = blocks[block];
      if (found !== undefined && !isShownByCard(found))
        yield { type: 'block', key: `${turn.seq} ${id} ${found.id}`, block: found, turn };
    }
  }
}

/**
 * The call of a tool that does nothing but ask: the card after it says all of it, and what came of it. What is asked at
 * the tool is a step of its block, so a call with neither asked nobody.
 */
function isShownByCard(block: Block): boolean {
  if (block.type !== 'tool' || block.steps.length > 0) return false;
  return block.call.interactiveType !== undefined && onlyAsks(block.call.toolName);
}

function hasEndRow({ ended, containers }: Turn): boolean {
  if (ended === undefined || ended.reason === 'cleared') return false;
  const last = containers.at(-1)?.blocks.at(-1);
  // A text that says where it was stopped has said how the turn ended.
  const isSaid = last?.type === 'text' && last.isPartial === true;
  if (isSaid && ended.reason === 'interrupted') return ended.message !== undefined;
  return ended.reason !== 'completed' || ended.message !== undefined;
}

/**
 * The rows with which an agent begins to speak and that no message stands before: they need a heading of their own, for
 * those who go from heading to heading, and because the headings in what it says are below one.
 */
export function rowsWithoutHeading(rows: readonly Row[]): ReadonlySet<Row> {
  const found = new Set<Row>();
  let isAfterMessage = false;
  let headed: Turn['seq'] | undefined;
  for (const row of rows) {
    if (row.type === 'end' || row.block.type === 'notice') continue;
    if (row.block.type === 'user') {
      isAfterMessage = true;
      continue;
    }
    if (!isAfterMessage && row.turn.seq !== headed) found.add(row);
    headed = row.turn.seq;
    isAfterMessage = false;
  }
  return found;
}

/** Which row, from the first one on, shows what was asked there; undefined if none does. */
export function rowOfInteraction(
  turns: readonly Turn[],
  total: number,
  interactionId: string,
): number | undefined {
  let at = total;
  for (const turn of turns.toReversed()) {
    for (const row of rowsBackwards(turn)) {
      at -= 1;
      if (row.type === 'block' && asksFor(row.block, interactionId)) return at;
    }
  }
  return undefined;
}

function asksFor(block: Block, interactionId: string): boolean {
  if (block.type === 'questionnaire') return block.step.interactionId === interactionId;
  return block.type === 'tool' && block.steps.some((one) => one.interactionId === interactionId);
}

/** The last turn failed, and nothing was tried since (RUN-10). */
export function canRetry(turns: readonly Turn[], turn: Turn): boolean {
  return turn.ended?.reason === 'error' && turns.at(-1) === turn;
}
