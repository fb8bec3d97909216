/**
 * Random tests draw the same values in every run, so that a refused change is at fault itself. `TEST_SEED=random` draws
 * others, and reports the seed of what it finds; a number repeats them.
 */
import { configureGlobal, readConfigureGlobal } from 'fast-check';

const FIXED = 260_719;

// A runtime of workerd has no environment of the process.
const { process } = globalThis as {
  readonly process?: { readonly env: Readonly<Record<string, string | undefined>> };
};
const given = process?.env['TEST_SEED'];
if (given !== 'random') {
  configureGlobal({ ...readConfigureGlobal(), seed: given === undefined ? FIXED : Number(given) });
}
