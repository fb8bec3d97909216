/** The files of a deploy and its guide agree. A bug here is a first deploy that answers 500, or a setting that nobody finds. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { DATA_FILES } from '../../scripts/lib/private-files.ts';
import { SCRIPT_SETTINGS, SECRETS, WORKER_SETTINGS } from '../../scripts/lib/settings.ts';
import { withoutSection } from '../../scripts/lib/wrangler.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const TOML = read('wrangler.toml');
const EXAMPLE = read('.dev.vars.example');
const GUIDE = read('docs/operations.md');
const DOCKERFILE = read('Dockerfile');
const SETTINGS: readonly string[] = [...SCRIPT_SETTINGS, ...WORKER_SETTINGS, 'HOLDPOINT_SETTINGS'];

/** Names in capitals with an underscore, and `PORT` and `HOST`. */
function settingsIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:HOLDPOINT|ANTHROPIC)_[A-Z_]*[A-Z]\b/g))];
}

describe('[OPS-8] the secrets of a deploy', () => {
  it('are required by wrangler.toml', () => {
    const [, required = '[]'] = /^\[secrets\]\nrequired = (\[.*\])$/m.exec(TOML) ?? [];
    expect(JSON.parse(required)).toEqual(SECRETS);
  });

  it('are what a deploy button asks for, without a value that everybody knows', () => {
    expect(parseEnv(EXAMPLE)).toEqual(Object.fromEntries(SECRETS.map((name) => [name, ''])));
    const { cloudflare } = JSON.parse(read('package.json')) as {
      cloudflare: { bindings: Record<string, { description: string }> };
    };
    expect(Object.keys(cloudflare.bindings)).toEqual(SECRETS);
  });

  it('are in the guide, with the key of the model', () => {
    const table = GUIDE.slice(GUIDE.indexOf('| secret | |'));
    for (const name of [...SECRETS, 'ANTHROPIC_API_KEY'])
      expect(table).toContain(`| \`${name}\` |`);
  });
});

describe('[OPS-8] every setting', () => {
  it('is in the example and in the guide, and no other is', () => {
    expect(settingsIn(EXAMPLE).toSorted()).toEqual([...WORKER_SETTINGS].toSorted());
    for (const name of SETTINGS) expect(GUIDE, name).toContain(`| \`${name}\` |`);
  });

  it.each(['Dockerfile', 'compose.yaml', 'deploy/holdpoint.service'])('of %s exists', (file) => {
    const found = settingsIn(read(file));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((name) => !SETTINGS.includes(name))).toEqual([]);
  });
});

it('[OPS-8] a development server gets every setting, although a deploy names its secrets', () => {
  const toml = withoutSection(TOML, '[secrets]');
  expect(toml).not.toMatch(/secrets|required/);
  const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
  expect(lines(TOML).filter((line) => !lines(toml).includes(line))).toEqual([
    '[secrets]',
    `required = ${JSON.stringify(SECRETS).replace(',', ', ')}`,
  ]);
  expect(withoutSection('[secrets]\nrequired = []', '[secrets]')).toBe('');
  expect(() => withoutSection('name = "x"', '[secrets]')).toThrow('no section [secrets]');
});

describe('[OPS-7] the image and the service', () => {
  it('run the Node of the repository, as a user without rights, and keep secrets with the data', () => {
    const images = [...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`node:${read('.nvmrc').trim()}-bookworm-slim`]));
    expect(DOCKERFILE).toMatch(/^USER node$/m);
    expect(DOCKERFILE).toMatch(/^VOLUME \/data$/m);
    expect(DOCKERFILE).toContain(`HOLDPOINT_SETTINGS=/data/${DATA_FILES.settings}`);
    const unit = read('deploy/holdpoint.service');
    expect(unit).toContain(`HOLDPOINT_SETTINGS=/var/lib/holdpoint/${DATA_FILES.settings}`);
    expect(unit).toMatch(/^ExecStart=\S+\/node scripts\/run\.js start$/m);
  });
});

it('the README has both commands on a line each, and CI runs the second as it stands there', () => {
  const start = read('README.md').split('## Start')[1]?.split('\n## ')[0] ?? '';
  const commands = [...start.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, text = '']) =>
    text.trim().split('\n'),
  );
  expect(commands).toContain('npm ci && npm start');
  expect(commands).toContain('npm ci && npm test');
  const lines = read('.ci/run').split('\n');
  expect(lines.filter((line) => /npm (ci|test)\b/.test(line) && !line.includes('echo'))).toEqual([
    'npm ci && npm test',
  ]);
  expect(lines.at(-2)).toContain('npm run --silent verify -- --ci --tested "$tested"');
});
