/**
 * The files that a phone loads before the chat appears: the page, its style, its script and the script's static
 * imports.
 */
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

/** Inline parts that the content security policy of the page would block. */
export function inlineParts(page: string): readonly string[] {
  const tags = [
    ...page.matchAll(/<script(?![^>]* src=)[^>]*>|<style[^>]*>|<[^>]+ (?:on\w+|style)=[^>]*>/g),
  ];
  return tags.map(([tag]) => tag);
}
