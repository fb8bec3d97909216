/** A change beside the file as it is now, where the page can read it. */
import { diffLines } from './diff-lines.ts';
import type { DisplayPart } from './display.ts';

/** `content` is undefined for a file that does not exist. */
export function withKnownFile(part: DisplayPart, content: string | undefined): DisplayPart {
  if (part.type === 'file' && part.effect === 'unknown') {
    if (content === undefined) return { ...part, effect: 'create' };
    const lines = diffLines(content, part.text);
    return {
      type: 'diff',
      path: part.path,
      effect: 'overwrite',
      hunks: [{ lines, isNumbered: true }],
    };
  }
  if (part.type !== 'diff' || part.effect !== 'edit' || content === undefined) return part;
  const [hunk, ...more] = part.hunks;
  if (hunk?.replaced === undefined || more.length > 0) return part;
  const { before, after } = hunk.replaced;
  const isThere = before !== '' && content.includes(before);
  const isClear = content.indexOf(before) === content.lastIndexOf(before);
  if (!isThere || (!isClear && hunk.replacesAll !== true)) return part;
  // A function: in a string, patterns such as `$&` would have a meaning of their own.
  const lines = diffLines(
    content,
    content.replaceAll(before, () => after),
  );
  return { ...part, hunks: [{ ...hunk, lines, isNumbered: true, isWholeFile: true }] };
}
