/** The axe findings for a part of the page, light and dark, with their position. */
import axe, { type RunOptions } from 'axe-core';

/** Rules for whole pages, which do not apply to a single component. */
const OF_PAGES = [
  'landmark-one-main',
  'page-has-heading-one',
  'region',
  'html-has-lang',
  'document-title',
];

/** What the color scheme changes; every other rule has the same result in both schemes. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

/** Without what describes each passing element and what reads style sheets for films, which cost most of a run. */
const QUICK: RunOptions = {
  resultTypes: ['violations'],
  preload: false,
  // Places of the chat are fragments. Without the sidebar, which leads to another path, axe takes each for a skip link.
  rules: { 'skip-link': { enabled: false } },
};

export async function axeProblems(element: Element, { isPage = false } = {}): Promise<string[]> {
  const root = document.documentElement;
  const problems: string[] = [];
  const ofComponents: RunOptions = {
    ...QUICK,
    rules: {
      ...QUICK.rules,
      ...Object.fromEntries(OF_PAGES.map((rule) => [rule, { enabled: false }])),
    },
  };
  const runs: Record<string, RunOptions> = {
    light: isPage ? QUICK : ofComponents,
    dark: { ...QUICK, rules: {}, runOnly: { type: 'rule', values: OF_COLORS } },
  };
  for (const [scheme, options] of Object.entries(runs)) {
    root.style.colorScheme = scheme;
    finishAnimations();
    const { violations } = await axe.run(element, options);
    for (const { id, nodes } of violations) {
      for (const node of nodes)
        problems.push(`${scheme} ${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`);
    }
  }
  root.style.removeProperty('color-scheme');
  return problems;
}

/** In the middle of an animation, colors are not the designed colors. */
function finishAnimations(): void {
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
}
