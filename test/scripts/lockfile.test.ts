import { expect, it } from 'vitest';
import { lockfileProblems } from '../../scripts/lib/lockfile.ts';

function problems(packages: Record<string, unknown>): string[] {
  return lockfileProblems(JSON.stringify({ packages }));
}

it('finds a platform binary that npm dropped', () => {
  const tool = {
    version: '1.0.0',
    optionalDependencies: { 'tool-linux': '1.0.0', 'tool-mac': '1.0.0' },
  };
  expect(
    problems({
      'node_modules/tool': tool,
      'node_modules/tool/node_modules/tool-linux': { version: '1.0.0' },
    }),
  ).toEqual(['tool-mac 1.0.0 is missing; node_modules/tool declares it']);
});

it('finds a binary of another version and a package that names a host', () => {
  const resolved = 'https://registry.example/tool.tgz';
  expect(
    problems({
      '': { optionalDependencies: { tool: '2.0.0' } },
      'node_modules/tool': { version: '1.0.0', resolved },
    }),
  ).toEqual([
    'tool is 1.0.0; package.json declares 2.0.0',
    expect.stringContaining('names a registry host'),
  ]);
});
