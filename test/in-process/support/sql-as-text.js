/** Node cannot import SQL; a package is bundled with it as text, and this is the same for a script. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.sql')) return nextLoad(url, context);
    const source = `export default ${JSON.stringify(readFileSync(new URL(url), 'utf8'))};`;
    return { format: 'module', source, shortCircuit: true };
  },
});
