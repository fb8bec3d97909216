/**
 * A part of the Worker that most isolates never use, loaded at its first use.
 *
 * The load is awaited where the part is used, which is never between reading the state of a session and writing it. A load
 * that fails is not remembered: the caller reports the failure, and the next use loads again. Uses at the same time load
 * each by themselves, which costs a look into the table of modules: a request that waits for the promise of another one
 * would hang with it.
 */
export function loadLater<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let part: Part | undefined;
  return async () => {
    if (part !== undefined) return part;
    const loaded = await load();
    part ??= loaded;
    return part;
  };
}
