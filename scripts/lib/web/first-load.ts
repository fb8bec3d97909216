/** What a phone loads before the chat is there: the page, its style, its script and what that imports at once. */
import { gzipSync } from 'node:zlib';
import type { WebBundle } from './build-web.ts';

/** Script and style together, compressed: 60 KB. */
export const MAX_FIRST_LOAD = 60 * 1024;

export interface Loaded {
  readonly name: string;
  /** Compressed as the Worker compresses it. */
  readonly bytes: number;
}

export function firstLoad({ page, assets }: WebBundle): readonly Loaded[] {
  const named = [
    ...page.matchAll(
      /<(?:link rel="(?:stylesheet|modulepreload)" href|script type="module" src)="\/assets\/([^"]+)"/g,
    ),
  ];
  return named.map(([, name = '']) => ({ name, bytes: gzipSync(assets[name] ?? '').length }));
}

/** What the policy of the page would refuse to run or to apply. */
export function inlineParts(page: string): readonly string[] {
  const tags = [
    ...page.matchAll(/<script(?![^>]* src=)[^>]*>|<style[^>]*>|<[^>]+ (?:on\w+|style)=[^>]*>/g),
  ];
  return tags.map(([tag]) => tag);
}
