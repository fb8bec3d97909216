/**
 * Reads a guide as a program: the files that its reader writes, and the commands that the reader runs.
 *
 * A file is a block below a line that names it: `` `src/a.ts` (new): `` with all of it, or
 * `` `src/a.ts` (changed): `` with a diff whose parts stand between lines of `@@`. The expected
 * reply of a block of commands is the block of JSON directly after it.
 */
export interface GuideFile {
  readonly step: number;
  readonly path: string;
  readonly isNew: boolean;
  readonly text: string;
}

export interface Exchange {
  readonly commands: string;
  /** The reply to the last command; undefined if the guide does not show it. */
  readonly reply: unknown;
}

interface Block {
  readonly step: number;
  readonly above: string;
  readonly language: string;
  readonly text: string;
}

const BLOCK = /(?:^(\S[^\n]*)\n\n)?^```(\w+)\n(.*?)^```$/gms;
const NAMED = /^`([^`]+)` \((new|changed)\):$/;

function blocksOf(guide: string): Block[] {
  const steps = guide.split(/^## (?=\d)/m).slice(1);
  return steps.flatMap((section) =>
    [...section.matchAll(BLOCK)].map(([, above = '', language = '', text = '']) => {
      return { step: Number.parseInt(section, 10), above, language, text };
    }),
  );
}

export function filesIn(guide: string): GuideFile[] {
  return blocksOf(guide).flatMap(({ step, above, text }) => {
    const [, path, how] = NAMED.exec(above) ?? [];
    return path === undefined ? [] : [{ step, path, isNew: how === 'new', text }];
  });
}

/** The first two columns of the table under this heading. */
export function tableUnder(guide: string, heading: string): (readonly [string, string])[] {
  const lines = guide.slice(guide.indexOf(heading)).split('\n');
  const from = lines.findIndex((line) => line.startsWith('|---'));
  const rows = lines.slice(from + 1, lines.indexOf('', from));
  return rows.map((row) => {
    const [, first = '', second = ''] = row.split(' | ').join('|').split('|');
    return [first.trim().replaceAll('`', ''), second.trim().replaceAll('`', '')];
  });
}

export function exchangesIn(guide: string): Exchange[] {
  const blocks = blocksOf(guide);
  return blocks.flatMap(({ language, text }, at) => {
    if (language !== 'sh' || !text.includes('curl')) return [];
    const after = blocks[at + 1];
    return [
      { commands: text, reply: after?.language === 'json' ? JSON.parse(after.text) : undefined },
    ];
  });
}

/** Applies the parts of a diff to a text; the place of each must occur exactly once. */
export function patched(text: string, diff: string): string {
  return diff
    .split(/^@@\n/m)
    .map((part) => part.replace(/\n$/, '').split('\n'))
    .reduce((before, lines) => {
      const side = (sign: string) =>
        lines
          .filter((line) => line === '' || ' '.concat(sign).includes(line.charAt(0)))
          .map((line) => line.slice(1))
          .join('\n');
      const [old, now] = [side('-'), side('+')];
      const [whole, place] = [`\n${before}`, `\n${old}\n`];
      const at = whole.indexOf(place);
      if (at < 0) throw new Error(`No place for\n${old}`);
      if (whole.includes(place, at + 1)) throw new Error(`Two places for\n${old}`);
      return `${whole.slice(1, at + 1)}${now}\n${whole.slice(at + place.length)}`;
    }, text);
}
