/** A bug here looks like an address that a browser sends elsewhere than the rule reads it. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversHost, findHost, hostProblem } from '../../../src/core/rules/host-pattern.ts';
import { lowestCpuMs } from '../../support/cpu-time.ts';

describe('a host', () => {
  it.each(['example.org', '*.example.org', 'a-b.example.co.uk', 'xn--bcher-kva.example'])(
    '[TEAM-2] %j is good',
    (host) => expect(hostProblem(host)).toBeUndefined(),
  );

  it.each([
    '',
    '*',
    '*.',
    '*.*.org',
    'a.*.org',
    'Example.org',
    'example.org.',
    'example.org:443',
    'http://example.org',
    'user@example.org',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    'localhost',
    '[::1]',
    'bücher.example',
    'a..b',
    '-a.org',
    'example.org/x',
    '*example.org',
  ])('[TEAM-2] %j is refused', (host) => expect(hostProblem(host)).toBeDefined());
});

describe('allowing', () => {
  it.each<[string, unknown, boolean]>([
    ['example.org', 'https://example.org', true],
    ['example.org', 'https://example.org/a?b#c', true],
    ['example.org', 'http://EXAMPLE.org:80/', true],
    ['example.org', 'https://example.org:443/', true],
    ['example.org', 'https://example.org:8443/', false],
    ['example.org', 'https://example.org:80/', false],
    ['example.org', 'https://a.example.org/', false],
    ['example.org', 'https://example.org.evil.test/', false],
    ['example.org', 'https://evil.test/example.org', false],
    ['example.org', 'https://example.org@evil.test/', false],
    ['example.org', 'https://evil.test@example.org/', false],
    ['example.org', 'https://evil.test\\@example.org/', false],
    ['example.org', 'https://evil.test#@example.org/', false],
    ['example.org', 'https:example.org', false],
    ['example.org', 'https:///example.org', false],
    ['example.org', '//example.org', false],
    ['example.org', 'example.org', false],
    ['example.org', ' https://example.org', false],
    ['example.org', 'https://exa\tmple.org', false],
    ['example.org', 'https://example.org.', false],
    ['example.org', 'https://ｅxample.org', false],
    ['example.org', 'https://example%2eorg', false],
    ['example.org', 'ftp://example.org', false],
    ['example.org', 'file://example.org/x', false],
    ['example.org', ['https://example.org'], false],
    ['example.org', `https://example.org/${'x'.repeat(3_000)}`, false],
    ['*.example.org', 'https://a.example.org', true],
    ['*.example.org', 'https://a.b.example.org', true],
    ['*.example.org', 'https://example.org', false],
    ['*.example.org', 'https://badexample.org', false],
    ['*.example.org', 'https://.example.org', false],
  ])('[TEAM-2] %j covers %j: %s', (pattern, address, expected) => {
    expect(coversHost(pattern, address as string)).toBe(expected);
  });
});

describe('denying', () => {
  it.each<[string, unknown, string]>([
    ['example.org', 'https://example.org', 'yes'],
    ['example.org', 'https://user:x@EXAMPLE.org.:8443/', 'yes'],
    ['example.org', 'https://ｅxample.org', 'yes'],
    ['example.org', 'https://exa\tmple.org', 'yes'],
    ['example.org', 'https:\\\\example.org', 'yes'],
    ['example.org', 'example.org/x', 'yes'],
    ['*.example.org', 'https://a.example.org', 'yes'],
    ['example.org', 'https://other.org', 'no'],
    ['example.org', 'https://93.184.216.34/', 'unclear'],
    ['example.org', 'https://2130706433/', 'unclear'],
    ['example.org', 'not an address', 'unclear'],
    ['example.org', 7, 'unclear'],
  ])('[TEAM-2] %j is about %j: %s', (pattern, address, expected) => {
    expect(findHost(pattern, address as string)).toBe(expected);
  });
});

const PIECES = [
  'https',
  'http',
  ':',
  '//',
  '/',
  '\\',
  '@',
  'example.org',
  'evil.test',
  '.',
  '#',
  '?',
  '%2e',
  ' ',
  '\t',
  ':443',
  'a',
  '１',
  '[::1]',
  'xn--',
];

it('[TEAM-2] allows only what leads to the host as a browser reads it', () => {
  const address = fc
    .array(fc.constantFrom(...PIECES), { maxLength: 10 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(address, (text) => {
      if (!coversHost('example.org', text)) return;
      const url = new URL(text);
      expect(url.hostname).toBe('example.org');
      expect(url.port + url.username + url.password).toBe('');
      expect(findHost('example.org', text)).toBe('yes');
    }),
    { numRuns: 5_000 },
  );
});

it('[TEAM-2] takes a time in proportion to the address', () => {
  const work = () => {
    for (const text of [
      `https://${'ü.'.repeat(990)}`,
      `https:${'/'.repeat(1_900)}`,
      '.'.repeat(2_000),
    ]) {
      for (let count = 0; count < 400; count += 1) findHost('*.example.org', text);
    }
  };
  expect(lowestCpuMs(2, work)).toBeLessThan(1_000);
});
