/**
 * A pattern with classes of Unicode, such as `\p{L}`, that is compiled at its first use.
 *
 * V8 checks every literal of a pattern when it reads the code, and again when the literal is reached. For a class it visits the
 * properties of all characters each time: as literals, two dozen of them were a twentieth of each start of the Worker.
 */
export function deferPattern(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => (pattern ??= new RegExp(source, flags));
}
