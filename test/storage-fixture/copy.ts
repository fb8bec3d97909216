/** A copy of one of the kept folders, to be opened and written to. */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));

export function copyKept(which: 'served' | 'in-process', to: string): void {
  mkdirSync(to, { recursive: true });
  cpSync(path.join(HERE, which), to, { recursive: true });
}

/** The id of the session in this file. */
export function readSessionId(file: string): string {
  const sqlite = new DatabaseSync(file);
  const row = sqlite.prepare("SELECT value FROM meta WHERE key = 'info'").get();
  sqlite.close();
  return (JSON.parse(String(row?.['value'])) as { id: string }).id;
}

/** As a version that is one migration ahead would leave it. */
export function makeNewer(file: string): void {
  const sqlite = new DatabaseSync(file);
  const { value } = sqlite.prepare("SELECT value FROM meta WHERE key = 'schema'").get() as {
    value: string;
  };
  const hashes = JSON.parse(value) as string[];
  const next = JSON.stringify([...hashes, 'f'.repeat(64)]);
  sqlite.prepare("UPDATE meta SET value = ? WHERE key = 'schema'").run(next);
  sqlite.close();
}
