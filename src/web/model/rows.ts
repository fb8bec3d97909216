/**
 * The end of a conversation as a list of rows of the requested length.
 *
 * Only rows that the person has scrolled to are drawn: a session of many thousand events opens as fast as a short
 * one. The walk starts at the end, because the beginning may be far away.
 */
import type { Block, Turn } from '../../client/timeline/index.ts';

export type Row =
  | { readonly type: 'block'; readonly key: string; readonly block: Block; readonly turn: Turn }
  /** The end of a turn, where it must be shown. */
  | { readonly type: 'end'; readonly key: string; readonly turn: Turn };

/** The rows drawn at first, about as many as a window shows: drawing them takes most of the time of opening. */
export const FIRST_ROWS = 30;
/** The rows added with each step back; a window that the first rows do not fill takes a step at once. */
export const MORE_ROWS = 120;
/** With more rows, the first ones are removed while the person reads at the end. */
const MAX_DRAWN_ROWS = 150;

/** The number of hidden rows at the beginning: shown rows stay while others arrive. */
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
        yield { type: 'block', key: keyOf(found, `${turn.seq} ${id}`), block: found, turn };
    }
  }
}

/** A card keeps its element, and what is typed into it, when imported history gives it another turn. */
function keyOf({ type, id }: Block, container: string): string {
  return type === 'tool' || type === 'questionnaire' ? id : `${container} ${id}`;
}

/**
 * A call of a tool that only asks: the card after it shows the call and its outcome. Each interaction of a tool is a
 * step of its block, so a call without steps asked nothing.
 */
function isShownByCard(block: Block): boolean {
  if (block.type !== 'tool' || block.steps.length > 0) return false;
  return block.call.interactiveType !== undefined && onlyAsks(block.call.toolName);
}

function hasEndRow({ ended, containers }: Turn): boolean {
  if (ended === undefined || ended.reason === 'cleared') return false;
  const last = containers.at(-1)?.blocks.at(-1);
  // A text marked as stopped already shows how the turn ended.
  const isShownAsText = last?.type === 'text' && last.isPartial === true;
  if (isShownAsText && ended.reason === 'interrupted') return ended.message !== undefined;
  return ended.reason !== 'completed' || ended.message !== undefined || ended.usage !== undefined;
}

/**
 * The rows that start an agent's part without a message before them. They need a heading of their own: for navigation
 * by headings, and because the headings inside the text are below one.
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

/** What a link or a search leads to. */
export type Sought = { readonly interactionId: string } | { readonly seq: number };

export interface FoundRow {
  readonly index: number;
  readonly key: string;
}

/**
 * The row of an interaction or an event; undefined if no row shows it. An event without a row of its own, such as a
 * result, is shown by the row of the last event before it.
 */
export function findRow(
  turns: readonly Turn[],
  total: number,
  sought: Sought,
): FoundRow | undefined {
  let index = total;
  let nearest = 0;
  let found: FoundRow | undefined;
  for (const turn of turns.toReversed()) {
    for (const row of rowsBackwards(turn)) {
      index -= 1;
      if ('interactionId' in sought) {
        if (row.type === 'block' && asksFor(row.block, sought.interactionId))
          return { index, key: row.key };
        continue;
      }
      const seq = seqOf(row);
      // The number in an address may be anything.
      if (seq === undefined || !(seq <= sought.seq) || seq <= nearest) continue;
      nearest = seq;
      found = { index, key: row.key };
    }
  }
  return found;
}

function seqOf(row: Row): number | undefined {
  if (row.type === 'end') return undefined;
  const { block } = row;
  if ('event' in block) return block.event.seq;
  if (block.type === 'group') return block.tools[0]?.seq;
  return block.type === 'questionnaire' ? undefined : block.seq;
}

function asksFor(block: Block, interactionId: string): boolean {
  if (block.type === 'questionnaire') return block.step.interactionId === interactionId;
  return block.type === 'tool' && block.steps.some((one) => one.interactionId === interactionId);
}

/** The last turn failed and was not retried (RUN-10). */
export function canRetry(turns: readonly Turn[], turn: Turn): boolean {
  return turn.ended?.reason === 'error' && turns.at(-1) === turn;
}

/**
 * Tools that only ask, by their names, which are all that is known about them: the card shows everything about their
 * calls. Any other tool may ask on its way, and its call has an input and a result of its own.
 *
 * A tool that is missing here is shown once more than necessary.
 */
const ASKING: ReadonlySet<string> = new Set([
  'askfollowupquestion',
  'askhuman',
  'askquestion',
  'askquestions',
  'askuser',
  'askuserquestion',
  'askuserquestions',
  'elicit',
  'elicitation',
  'requestuserinput',
]);

/** Also matches a tool of an MCP server, `mcp__name__ask_user`. */
function onlyAsks(toolName: string): boolean {
  const own = toolName.split('__').at(-1) ?? '';
  return ASKING.has(own.toLowerCase().replaceAll(/[^a-z]/g, ''));
}
