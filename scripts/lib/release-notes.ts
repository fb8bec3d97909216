/** Moves the entries under "Unreleased" in CHANGELOG.md to the section of one version, and returns them as its notes. */

const UNRELEASED = /^## Unreleased\n/m;
const VERSION = /^\d+\.\d+\.\d+(?:-[\da-z.]+)?$/;

export interface Release {
  readonly changelog: string;
  readonly notes: string;
}

export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** `day` is written as 2026-11-19. Throws a sentence for the terminal when there is nothing to release. */
export function cutRelease(changelog: string, version: string, day: string): Release {
  const [before, rest] = changelog.split(UNRELEASED);
  if (before === undefined || rest === undefined)
    throw new Error('CHANGELOG.md has no section "## Unreleased".');
  if (changelog.includes(`\n## ${version} `))
    throw new Error(`CHANGELOG.md has a section for ${version} already.`);
  const end = rest.search(/^## /m);
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (notes === '') throw new Error('CHANGELOG.md lists nothing under "## Unreleased".');
  const older = end === -1 ? '' : `\n${rest.slice(end)}`;
  return {
    changelog: `${before}## Unreleased\n\n## ${version} (${day})\n\n${notes}\n${older}`,
    notes,
  };
}
