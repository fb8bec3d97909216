/**
 * Ends the import of a module with a sentence where the runtime lacks what the module needs. Without it the import fails with
 * the name of a module of Node, or a request fails later with the name of a method.
 */
export interface Needed {
  /** The entry of the package, as a program imports it. */
  readonly entry: string;
  readonly what: string;
  /** The first Node that has it. */
  readonly node: number;
}

export function refuseOldRuntime(isThere: boolean, { entry, what, node }: Needed): void {
  if (isThere) return;
  const { process } = globalThis as { readonly process?: { versions?: { node?: string } } };
  const version = process?.versions?.node;
  const present = version === undefined ? '' : `; this is Node ${version}`;
  throw new Error(`${entry} needs ${what}, which Node ${node} has${present}.`);
}
