/**
 * The entry of the package runs without Node, and both lists have every migration. A user with an older folder would
 * be the first to notice a missing migration.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { SESSION_MIGRATIONS, WORKSPACE_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';

const ROOT = new URL('../../', import.meta.url);

/** Every module whose values this file imports, directly or through its imports. */
function importedBy(entry: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(entry.href)) return seen;
  seen.add(entry.href);
  const specifiers: string[] = [];
  const { program } = parseSync(entry.pathname, readFileSync(entry, 'utf8'));
  new Visitor({
    ImportDeclaration(node) {
      if (node.importKind !== 'type') specifiers.push(node.source.value);
    },
    ExportNamedDeclaration(node) {
      if (node.source !== null && node.exportKind !== 'type') specifiers.push(node.source.value);
    },
    ExportAllDeclaration(node) {
      if (node.exportKind !== 'type') specifiers.push(node.source.value);
    },
  }).visit(program);
  for (const specifier of specifiers) {
    if (specifier.startsWith('.')) importedBy(new URL(specifier, entry), seen);
    else seen.add(specifier);
  }
  return seen;
}

describe('the entry of holdpoint/in-process', () => {
  it('[TRN-2] needs neither Node nor SQL, and loads neither a model nor the reference', () => {
    const imported = [...importedBy(new URL('src/in-process/index.ts', ROOT))];
    expect(imported.filter((name) => /^node:|\.sql$|cloudflare/.test(name))).toEqual([]);
    const left = /@anthropic-ai|openapi\/describe-api/;
    expect(imported.filter((name) => left.test(name))).toEqual([]);
    expect(imported.some((name) => name.endsWith('/session/session.ts'))).toBe(true);
  });

  it('[TRN-2] contains every migration', () => {
    for (const [room, migrations] of [
      ['session', SESSION_MIGRATIONS],
      ['workspace', WORKSPACE_MIGRATIONS],
    ] as const) {
      const folder = new URL(`migrations/${room}/`, ROOT);
      const texts = readdirSync(folder)
        .toSorted()
        .map((name) => readFileSync(new URL(name, folder), 'utf8'));
      expect(migrations).toEqual(texts);
    }
  });
});
