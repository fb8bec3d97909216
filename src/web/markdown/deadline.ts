/**
 * A deadline inside the Markdown parser. The parser cannot be stopped and takes minutes for some texts: it is
 * quadratic in headings, in lists and in lazy continuation lines of a quote.
 *
 * The extension checks the clock before each container, block and inline construct, and throws. Between two checks
 * the parser takes linear time, except for what `isCostly` counts.
 */
import type { Options } from 'micromark';

type Extension = NonNullable<Options['extensions']>[number];

const INLINE = [...'!&*<[\\]_~'].map((character) => character.charCodeAt(0));
const BACKTICK = 96;

export class TooSlow extends Error {}

export function deadline(budgetMs: number): Extension {
  const end = performance.now() + budgetMs;
  const look: NonNullable<NonNullable<Extension['flow']>['null']> = {
    tokenize(_effects, _ok, nok) {
      if (performance.now() > end) throw new TooSlow();
      return nok;
    },
  };
  return {
    document: { null: look },
    flow: { null: look },
    text: {
      ...Object.fromEntries(INLINE.map((code) => [code, look])),
      // Code starts at the first backtick of a run; a check at each one would make the parser try at each one.
      [BACKTICK]: { ...look, previous: (code) => code !== BACKTICK },
    },
  };
}
