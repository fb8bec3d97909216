/**
 * docs/client-connection.md is the test: every cell of its tables, against the machine. A bug would be
 * a page that promises something else than the library does.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cellOf, HAPPENINGS, PHASES } from '../support/client/connection-cases.ts';

const PAGE = path.join(import.meta.dirname, '../../docs/client-connection.md');

interface Cell {
  readonly phase: string;
  readonly happening: string;
  readonly says: string;
}

function cellsOf(markdown: string): Cell[] {
  const cells: Cell[] = [];
  let phases: string[] = [];
  for (const line of markdown.split('\n')) {
    const row = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim())
      : [];
    const [first = '', ...others] = row;
    if (row.length === 0) phases = [];
    else if (first === 'what happens') phases = others;
    else if (first !== '---') {
      for (const [index, phase] of phases.entries()) {
        cells.push({ phase, happening: first, says: others[index] ?? '' });
      }
    }
  }
  return cells;
}

const CELLS = cellsOf(readFileSync(PAGE, 'utf8'));

describe('the table of docs/client-connection.md', () => {
  it('[TRN-4] has a cell for every phase and every event, once', () => {
    const written = CELLS.map(({ phase, happening }) => `${happening} × ${phase}`);
    const wanted = Object.keys(PHASES).flatMap((phase) =>
      Object.keys(HAPPENINGS).map((happening) => `${happening} × ${phase}`),
    );
    expect(written.toSorted()).toEqual(wanted.toSorted());
  });

  it.each(Object.keys(HAPPENINGS))('[TRN-4, TRN-7] describes the effect of %s', (name) => {
    const row = CELLS.filter(({ happening }) => happening === name);
    const is = row.map(({ phase }) => {
      const [state, happening] = [PHASES[phase], HAPPENINGS[name]];
      if (state === undefined || happening === undefined) throw new Error(`No such case: ${phase}`);
      return `${phase}: ${cellOf(state, happening)}`;
    });
    expect(is).toEqual(row.map(({ phase, says }) => `${phase}: ${says}`));
  });
});
