/**
 * The README of the published package: package-readme.md, whose links to files of the repository become addresses.
 *
 * A page of a registry has none of these files beside it. The addresses name the tag of the version, so the page of an old
 * version goes on describing that version.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../paths.ts';
import { readRoot, repositoryPage } from './manifest.ts';

const SOURCE = path.join(import.meta.dirname, 'package-readme.md');

export function packedReadme(): string {
  const root = readRoot();
  const tag = `${repositoryPage(root)}/blob/v${root.version}`;
  return withAddresses(readFileSync(SOURCE, 'utf8'), path.dirname(SOURCE), tag);
}

/** Throws for a link to a file that the repository does not have. */
export function withAddresses(text: string, folder: string, tag: string): string {
  return text.replaceAll(/\]\((?!https?:)([^)#]+)(#[^)]*)?\)/g, (_, to: string, part = '') => {
    const file = path.resolve(folder, to);
    const inRepository = path.relative(ROOT, file).split(path.sep).join('/');
    if (inRepository.startsWith('..') || !existsSync(file))
      throw new Error(`The README of the package links to ${to}, which does not exist`);
    return `](${tag}/${inRepository}${part})`;
  });
}

/** The links of a page that lead to a file beside it. */
export function relativeLinks(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)]*)\)|(?:src|href)="([^"]*)"/g)];
  return targets
    .map(([, link, attribute]) => link ?? attribute ?? '')
    .filter((target) => !/^https?:/.test(target));
}
