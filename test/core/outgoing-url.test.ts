/** Which addresses requests may be sent to. A bug here lets a configured tool or target reach what only the server can reach. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outgoingUrlProblem } from '../../src/core/outgoing-url.ts';

const publicly = (url: string) => outgoingUrlProblem(url, { allowPrivate: false });
const privately = (url: string) => outgoingUrlProblem(url, { allowPrivate: true });

const PUBLIC = [
  'https://example.com',
  'https://tools.example.com/deploy?env=a#b',
  'https://EXAMPLE.com:443/',
  'https:example.com',
  'https://bücher.com',
  'https://a_b.example.com',
  'https://localhost.example.com',
  'https://internal.example.com',
  'https://test.example.com',
  'https://svc.example.com',
  'https://my-test.com',
  'https://notnip.io',
  'https://nip.io.example.com',
  'https://127.0.0.1.example.com',
];

/** Keyed by the part that the message must name. */
const REFUSED: Record<string, readonly string[]> = {
  'IP address': [
    'https://127.0.0.1',
    'https://0x7f.1',
    'https://0x7f000001',
    'https://0177.0.0.1',
    'https://2130706433',
    'https://127.1',
    'https://１２７.０.０.１',
    'https://①②⑦.⓪.⓪.①',
    'https://%31%32%37.0.0.1',
    'https://127。0。0。1',
    'https://0',
    'https://0.0.0.0',
    'https://127.0.0.1.',
    'https:/\\127.0.0.1/',
    'https://10.0.0.1',
    'https://169.254.169.254/latest/meta-data',
    'https://8.8.8.8',
    'https://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
    'https://[64:ff9b::7f00:1]',
    'https://[fd00::1]',
    'https://[fe80::1]',
    'https://[2606:4700:4700::1111]',
  ],
  'not public': [
    'https://localhost',
    'https://LOCALHOST/',
    'https://ⅼocalhost',
    'https://ｌｏｃａｌｈｏｓｔ',
    'https://loc%61lhost',
    'https://a.localhost',
    'https://localhost.localdomain',
    'https://printer.local',
    'https://printer。local',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://nas.home.arpa',
    'https://1.0.0.127.in-addr.arpa',
    'https://intranet',
    'https://metadata',
    'https://nip.io',
    'https://127.0.0.1.nip.io',
    'https://127-0-0-1.sslip.io',
    'https://lvh.me',
    'https://a.lvh.me',
    'https://localtest.me',
    'https://test',
    'https://staging.test',
    'https://STAGING.TEST',
    'https://tools.example',
    'https://bücher.example',
    'https://nothing.invalid',
    'https://hidden.onion',
    'https://other.alt',
    'https://deploy.default.svc',
    'https://deploy.default.svc.cluster.local',
    'https://ip-10-0-0-1.ec2.internal',
  ],
  'ends with a dot': ['https://localhost.', 'https://example.com.', 'https://example.com..'],
  'cannot be': ['https://a..example.com', 'https://.example.com', `https://${'a'.repeat(64)}.com`],
  'user name': [
    'https://user@127.0.0.1',
    'https://user@example.com',
    'https://user:pass@example.com',
    'https://:pass@example.com',
    'https://example.com:443@127.0.0.1',
  ],
  port: ['https://example.com:8443', 'https://example.com:80', 'https://example.com:0'],
  HTTPS: [
    'http://example.com',
    'http:/\\127.0.0.1/',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,a',
    'ws://example.com',
  ],
  'not valid': ['', '/deploy', 'example.com', 'https://', 'https://a.1', 'https://[::1', '//a.b'],
};

const refused = Object.entries(REFUSED).flatMap(([why, urls]) =>
  urls.map((url) => [url, why] as const),
);

describe('[RUN-8] the address of a tool', () => {
  it.each(PUBLIC)('may be %s', (url) => {
    expect(publicly(url)).toBeUndefined();
  });

  it.each(refused)('may not be %s: %s', (url, why) => {
    expect(publicly(url)).toContain(why);
  });

  it.each(['http://localhost:3000/run', 'http://127.0.0.1', 'https://[::1]:8443', 'http://nas'])(
    'may be %s on a machine of one’s own',
    (url) => {
      expect(privately(url)).toBeUndefined();
      expect(publicly(url)).toBeDefined();
    },
  );

  it.each([
    ['file:///etc/passwd', 'HTTP'],
    ['http://user:pass@localhost', 'password'],
    ['no address', 'not valid'],
  ])('may not even there be %s', (url, why) => {
    expect(privately(url)).toContain(why);
  });

  it('is never an IPv4 address, in any notation', () => {
    const part = (number: number) =>
      fc.constantFrom(String(number), `0${number.toString(8)}`, `0x${number.toString(16)}`);
    const written = fc
      .tuple(...Array.from({ length: 4 }, () => fc.nat(255).chain(part)))
      .map((parts) => `https://${parts.join('.')}/`);
    fc.assert(
      fc.property(written, (url) => {
        expect(publicly(url)).toContain('IP address');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['192.0.2.0/24', 'https://192.0.2.0', 'https://192.0.2.255', 'https://0xc0000201'],
    ['198.51.100.0/24', 'https://198.51.100.0', 'https://198.51.100.255', 'https://3325256705'],
    ['203.0.113.0/24', 'https://203.0.113.0', 'https://203.0.113.255', 'https://0313.0.0161.1'],
    ['198.18.0.0/15', 'https://198.18.0.0', 'https://198.19.255.255', 'https://198.1179649'],
    ['2001:db8::/32', 'https://[2001:db8::]', 'https://[2001:db8:ffff:ffff::ffff]'],
    ['2001:db8::/32', 'https://[2001:0DB8:0:0:0:0:0:1]', 'https://[2001:db8::192.0.2.1]'],
    ['3fff::/20', 'https://[3fff::1]', 'https://[3fff:fff::1]'],
    ['2001:2::/48', 'https://[2001:2::1]', 'https://[2001:2:0:ffff::1]'],
  ])('is none of %s, which documents and benchmarks use: %s', (_range, ...urls) => {
    for (const url of urls) {
      expect(publicly(url)).toContain('IP address');
      expect(privately(url)).toBeUndefined();
    }
  });

  it('may not be longer than its shown part', () => {
    expect(privately(`https://example.com/${'a'.repeat(2_000)}`)).toContain('2000 characters');
  });

  it('is refused without being repeated: it may hold a secret', () => {
    for (const [url] of refused) {
      expect(publicly(`${url}?key=s3cret`) ?? '').not.toContain('s3cret');
    }
  });
});
