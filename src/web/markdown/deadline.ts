/**
 * A deadline inside the Markdown parser, which by itself cannot be stopped and takes minutes for some texts: it is
 * quadratic in headings, in lists and in lines that lazily continue a quote.
 *
 * It looks at the clock before each container, block and inline construct, and throws. What the parser does between two
 * looks takes linear time, but for what `isCostly` counts.
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
      // Code begins at the first backtick of a run; a look at each would make the parser try at each.
      [BACKTICK]: { ...look, previous: (code) => code !== BACKTICK },
    },
  };
}
