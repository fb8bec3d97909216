/**
 * A part of the Worker that most isolates never use, loaded at its first use.
 *
 * The load is awaited where the part is used, which is never between reading the state of a session and writing it. A load
 * that fails is forgotten: the caller reports the failure, and the next use loads again.
 */
export function loadLater<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined;
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw cause;
    });
    return loading;
  };
}
