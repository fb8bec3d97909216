/** A copy of the sources to modify, so that the working tree never contains a planted fault. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';
import { type Mutant, withFault } from './mutant.ts';

/** Folders that the copy does not need or must not share: packages are linked, bundles are built again. */
const LEFT_OUT = /^(?:node_modules|dist.*|\.git|\.holdpoint|\.wrangler|\.dev\.vars.*)$/;

export class TreeCopy {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-mutants-'));

  constructor() {
    cpSync(ROOT, this.folder, {
      recursive: true,
      filter: (from) => !LEFT_OUT.test(path.relative(ROOT, from)),
    });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(this.folder, 'node_modules'), 'dir');
  }

  /** Runs the work with the fault in place, and then restores the file. */
  async withFault<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result> {
    const file = path.join(this.folder, mutant.file);
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, withFault(good, mutant));
    try {
      return await work();
    } finally {
      writeFileSync(file, good);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
