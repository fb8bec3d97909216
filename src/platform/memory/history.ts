/** The imported history of a session in memory. */
import { countBytes } from '../../protocol/bytes.ts';
import type {
  HistoryChange,
  HistoryRow,
  HistoryRowHead,
  HistoryRows,
} from '../../session/ports.ts';

export class MemoryHistory implements HistoryRows {
  readonly #rows = new Map<number, readonly HistoryRow[]>();

  list(cli: number): HistoryRowHead[] {
    return (this.#rows.get(cli) ?? []).map(({ lines, ...head }) => ({
      ...head,
      bytes: bytesOf(lines),
    }));
  }

  lines(cli: number, first: number): readonly string[] {
    return this.#rows.get(cli)?.find((row) => row.first === first)?.lines ?? [];
  }

  bytes(): number {
    return [...this.#rows.values()].flat().reduce((total, { lines }) => total + bytesOf(lines), 0);
  }

  write({ cli, first, rows }: HistoryChange): void {
    const kept = (this.#rows.get(cli) ?? []).filter((row) => row.first < first);
    this.#rows.set(cli, [...kept, ...rows]);
  }

  clear(): void {
    this.#rows.clear();
  }
}

function bytesOf(lines: readonly string[]): number {
  return countBytes(lines.join('\n'));
}
