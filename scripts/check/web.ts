/** Builds the hosted chat and checks the size of what a browser loads before the first screen appears. */
import { buildWeb } from '../lib/web/build-web.ts';
import { firstLoad, inlineParts, MAX_FIRST_LOAD } from '../lib/web/first-load.ts';

const bundle = await buildWeb();
const loaded = firstLoad(bundle);
const total = loaded.reduce((sum, { bytes }) => sum + bytes, 0);
for (const { name, bytes } of loaded) console.log(`${String(bytes).padStart(7)}  ${name}`);
console.log(`${String(total).padStart(7)}  script and style of the first load, compressed`);

const problems = inlineParts(bundle.page).map((tag) => `The page may not hold ${tag}`);
if (loaded.length < 2) problems.push('The page loads no script or no style');
if (total > MAX_FIRST_LOAD) problems.push(`The first load is more than ${MAX_FIRST_LOAD} bytes`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
