/** What can be imported of the published package: `holdpoint/<name>`, and the module it is made from; one also as `holdpoint`. */
export interface Entry {
  readonly name: string;
  readonly source: string;
  /** It is also what the name of the package alone stands for. */
  readonly isMain?: true;
  /** The first Node that can import it; the package itself says 20. */
  readonly node: number;
}

const ENTRIES: readonly Entry[] = [
  { name: 'client', source: 'src/client/index.ts', isMain: true, node: 20 },
  // The HTTP application grows an ArrayBuffer in place.
  { name: 'in-process', source: 'src/in-process/index.ts', node: 22 },
  { name: 'in-process/anthropic', source: 'src/in-process/anthropic.ts', node: 22 },
  // It stands on node:sqlite.
  { name: 'in-process/sqlite', source: 'src/in-process/sqlite.ts', node: 24 },
  { name: 'claude', source: 'src/integrations/claude/index.ts', node: 20 },
];

/** As they stand behind `import … from`. */
export function specifiersOf({ name, isMain }: Entry): string[] {
  return [...(isMain === true ? ['holdpoint'] : []), `holdpoint/${name}`];
}

export function entries(): readonly Entry[] {
  return ENTRIES;
}
