/** A fault that is planted on purpose, to see whether anything would have noticed it. */
export interface Mutant {
  readonly name: string;
  /** The promise it breaks. */
  readonly breaks: string;
  readonly file: string;
  /** Stands in the file exactly once; otherwise the code has moved on and this must follow. */
  readonly find: string;
  readonly replace: string;
  /** Every one of these must fail. */
  readonly caughtBy: readonly Suite[];
}

export type Suite =
  | { readonly type: 'node' | 'worker'; readonly file: string }
  /** That many seeds of the simulation. */
  | { readonly type: 'simulation'; readonly seeds: number }
  /** That many kills of a server that runs the faulty bundle. */
  | { readonly type: 'crash'; readonly kills: number }
  /** That many kills at each boundary of a turn whose name holds `only`. */
  | { readonly type: 'agent-crash'; readonly kills: number; readonly only: string };

export function suiteName(suite: Suite): string {
  switch (suite.type) {
    case 'node':
    case 'worker':
      return suite.file.replace(/^test\//, '').replace(/\.test\.ts$/, '');
    case 'simulation':
      return `simulation, ${suite.seeds} seeds`;
    case 'crash':
      return `crash, ${suite.kills} kills`;
    case 'agent-crash':
      return `agent crash, ${suite.kills} kills: ${suite.only}`;
  }
}

/** The text with the fault in it; throws when the place for it is not found, or found twice. */
export function withFault(text: string, { name, file, find, replace }: Mutant): string {
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`"${name}": its text is ${count} times in ${file}, not once`);
  return text.replace(find, () => replace);
}
