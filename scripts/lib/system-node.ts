/** The Node that a terminal would run here, if it is not the one that npm brings; often it is older. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

export function systemNode(): string[] {
  const found = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => path.join(folder, 'node'))
    .find((file) => existsSync(file));
  return found === undefined || realpathSync(found) === realpathSync(process.execPath)
    ? []
    : [found];
}
