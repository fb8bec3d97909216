/** `npm run verify`: runs every step, whatever the others say, and names those that failed. */
import { runScript } from './lib/run.ts';
import { VERIFY_STEPS } from './lib/verify-steps.ts';

const failed: string[] = [];
for (const step of VERIFY_STEPS) {
  console.log(`\n── ${step}`);
  const args = step === 'test' ? process.argv.slice(2) : [];
  if ((await runScript(step, args)) !== 0) failed.push(step);
}
console.log(failed.length === 0 ? '\nEvery step passed.' : `\nFailed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
