/** Rows in columns, and the times in them. */
import { drawLine, type Part, type Printer } from './printer.ts';

const MAX_CELL = 60;

/** Cells are cut; the last column may be as long as it is. */
export function printTable(
  printer: Printer,
  head: readonly string[],
  rows: readonly string[][],
): void {
  const cut = rows.map((row) =>
    row.map((cell, column) =>
      column === head.length - 1 ? drawLine(cell) : shortenText(drawLine(cell)),
    ),
  );
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cut.map((row) => row[column]?.length ?? 0)),
  );
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  printer.print({ text: lineOf(head), style: 'dim' });
  for (const row of cut) printer.print(lineOf(row));
}

export function shortenText(text: string, length = MAX_CELL): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** `5 min`, for a span of milliseconds. */
export function describeSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** In the time zone of this machine. A time that is none, of a hostile server, must not throw. */
export function describeTime(at: unknown): string {
  const date = new Date(Number(at));
  if (Number.isNaN(date.getTime())) return '--:--:--';
  const of = (value: number) => String(value).padStart(2, '0');
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(of).join(':');
}

export function dim(text: string): Part {
  return { text, style: 'dim' };
}
