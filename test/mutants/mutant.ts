/** A fault that is planted on purpose, to see whether the suites notice it. */
export interface Mutant {
  readonly name: string;
  /** The promise that the fault breaks. */
  readonly breaks: string;
  readonly file: string;
  /** Occurs in the file exactly once; if it does not, the code has changed and the fault must follow. */
  readonly find: string;
  readonly replace: string;
  /** Every one of these suites must fail. */
  readonly caughtBy: readonly Suite[];
}

export type Suite =
  | { readonly type: 'node' | 'worker'; readonly file: string }
  /** That many seeds of the simulation. */
  | { readonly type: 'simulation'; readonly seeds: number }
  /** That many kills of a server that runs the faulty bundle. */
  | { readonly type: 'crash'; readonly kills: number }
  /** That many races of votes, with kills, of a server that runs the faulty bundle. */
  | { readonly type: 'quorum'; readonly races: number }
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
    case 'quorum':
      return `quorum, ${suite.races} races`;
    case 'agent-crash':
      return `agent crash, ${suite.kills} kills: ${suite.only}`;
  }
}

/** The row of a fault in docs/reliability.md. */
export function mutantRow({ name, breaks, caughtBy }: Mutant): string {
  const [rule = ''] = breaks.split(':');
  return `| ${name} | ${rule} | ${caughtBy.map(suiteName).join('; ')} |`;
}

/** Returns the text with the fault in it; throws unless its place occurs exactly once. */
export function withFault(text: string, { name, file, find, replace }: Mutant): string {
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`"${name}": its text is ${count} times in ${file}, not once`);
  return text.replace(find, () => replace);
}
