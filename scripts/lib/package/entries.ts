/** The entries of the published package: `holdpoint/<name>` and its source module. The main entry is also `holdpoint`. */
export interface Entry {
  readonly name: string;
  readonly source: string;
  /** The import of `holdpoint` alone resolves to this entry. */
  readonly isMain?: true;
  /** The oldest Node that can import the entry; `engines` of the package says 20. */
  readonly node: number;
}

const ENTRIES: readonly Entry[] = [
  { name: 'client', source: 'src/client/index.ts', isMain: true, node: 20 },
  // The HTTP application grows an ArrayBuffer in place.
  { name: 'in-process', source: 'src/in-process/index.ts', node: 22 },
  { name: 'in-process/anthropic', source: 'src/in-process/anthropic.ts', node: 22 },
  // It needs node:sqlite.
  { name: 'in-process/sqlite', source: 'src/in-process/sqlite.ts', node: 24 },
  { name: 'claude', source: 'src/integrations/claude/index.ts', node: 20 },
];

/** The specifiers for `import … from`. */
export function specifiersOf({ name, isMain }: Entry): string[] {
  return [...(isMain === true ? ['holdpoint'] : []), `holdpoint/${name}`];
}

export function entries(): readonly Entry[] {
  return ENTRIES;
}
