import type { Row } from './rows.ts';

/** The rows that begin a day, with their times. A conversation of today alone has none. */
export function findDayStarts(rows: readonly Row[], now: number): ReadonlyMap<Row, number> {
  const starts = new Map<Row, number>();
  let day: string | undefined;
  for (const row of rows) {
    const at = timeOf(row);
    if (at === undefined) continue;
    const own = new Date(at).toDateString();
    if (own !== (day ?? new Date(now).toDateString())) starts.set(row, at);
    day = own;
  }
  return starts;
}

/** When a row happened; undefined while it is streamed. */
function timeOf(row: Row): number | undefined {
  if (row.type === 'end') return row.turn.ended?.at;
  const { block } = row;
  switch (block.type) {
    case 'unknown':
      return undefined;
    case 'text':
      return block.at;
    case 'tool':
      return block.at ?? block.steps[0]?.openedAt;
    case 'group':
      return block.tools[0]?.at;
    case 'questionnaire':
      return block.step.openedAt;
    default:
      return block.event.at;
  }
}
