/** The lines that differ between two texts, as a person reads a change before it is made. */
export interface ChangedLine {
  readonly sign: '+' | '-';
  readonly line: string;
}

/** By the longest common sequence of lines; settings have some hundreds. */
export function differentLines(before: string, after: string): ChangedLine[] {
  const [old, fresh] = [endedLines(before), endedLines(after)];
  const start = countCommon(old, fresh);
  const rest = [old.slice(start), fresh.slice(start)] as const;
  const end = countCommon(rest[0].toReversed(), rest[1].toReversed());
  return compare(rest[0].slice(0, rest[0].length - end), rest[1].slice(0, rest[1].length - end));
}

function endedLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function countCommon(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1;
  return count;
}

function compare(old: readonly string[], fresh: readonly string[]): ChangedLine[] {
  const width = fresh.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: ChangedLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const [was, is] = [old[row], fresh[column]];
    if (was !== undefined && was === is) [row, column] = [row + 1, column + 1];
    else if (
      was !== undefined &&
      (is === undefined || at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push({ sign: '-', line: was });
      row += 1;
    } else if (is !== undefined) {
      lines.push({ sign: '+', line: is });
      column += 1;
    }
  }
  return lines;
}
