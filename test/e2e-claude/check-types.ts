/** The bridge and its example, compiled against the types of the real package. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, binary } from '../../scripts/lib/paths.ts';
import { SDK } from './install-sdk.ts';

/** The output of the compiler; empty without errors. */
export function typeProblems(folder: string): string {
  const config = path.join(folder, 'tsconfig.json');
  const at = (file: string) => [path.join(ROOT, file)];
  const settings = {
    extends: path.join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      types: ['node'],
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
      paths: {
        'holdpoint/client': at('src/client/index.ts'),
        'holdpoint/claude': at('src/integrations/claude/index.ts'),
        [SDK]: [path.join(folder, 'node_modules', SDK, 'sdk.d.ts')],
      },
    },
    files: [...at('test/e2e-claude/types/bridge.ts'), ...at('examples/claude-agent/agent.ts')],
  };
  writeFileSync(config, JSON.stringify(settings));
  const compiler = binary('typescript', 'bin/tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, '--project', config], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`.trim();
}
