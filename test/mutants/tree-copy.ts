/** A copy of the sources to spoil, so that nobody who works in the real ones meets a planted fault. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';
import { type Mutant, withFault } from './mutant.ts';

/** Not needed, or not to be shared: packages are linked, bundles are built anew. */
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

  /** Does the work with the fault in place, and takes it out again. */
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
