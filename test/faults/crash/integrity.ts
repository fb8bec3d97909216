/** Runs SQLite's integrity check over the files that a server left. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Findings } from '../../support/findings.ts';

/** Returns the number of checked files. */
export function checkFiles(dataDir: string, findings: Findings): number {
  const storage = path.join(dataDir, 'storage');
  if (!existsSync(storage)) return 0;
  const files = readdirSync(storage, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.sqlite'),
  );
  for (const file of files) {
    const problem = problemIn(path.join(storage, file));
    if (problem !== undefined) findings.add('FILE', file, problem);
  }
  return files.length;
}

function problemIn(file: string): string | undefined {
  try {
    const database = new DatabaseSync(file);
    const rows = database.prepare('PRAGMA integrity_check').all();
    database.close();
    const messages = rows.map((row) => String(row.integrity_check)).join('; ');
    return messages === 'ok' ? undefined : messages;
  } catch (error) {
    return String(error);
  }
}
