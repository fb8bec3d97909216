/**
 * Which addresses a looked-up name may have.
 *
 * A name that passes the rules of `outgoing-url.ts` may still lead to an address that only the server can reach. Judged
 * here is the address that is connected to. Everything that is not known to be public is refused, also a text that is
 * no address.
 */

/** IANA's special-purpose registry, and multicast. */
const PRIVATE_IPV4: readonly (readonly [first: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Answered inside the machines of one provider alone.
  ['168.63.129.16', 32],
];

export class PrivateAddressError extends Error {
  constructor() {
    super('The host name leads to a private address');
  }
}

export function isPublicAddress(address: string): boolean {
  return address.includes(':') ? isPublicIpv6(address) : isPublicIpv4(address);
}

function isPublicIpv4(address: string): boolean {
  const value = ipv4Value(address);
  return value !== undefined && !PRIVATE_IPV4.some((range) => isWithin(value, range));
}

function isWithin(value: number, [first, bits]: readonly [string, number]): boolean {
  const size = 2 ** (32 - bits);
  return Math.floor(value / size) === Math.floor((ipv4Value(first) ?? 0) / size);
}

function ipv4Value(address: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return undefined;
  const bytes = address.split('.').map(Number);
  if (bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

function isPublicIpv6(address: string): boolean {
  const groups = ipv6Groups(address);
  if (groups === undefined) return false;
  const [first = 0, second = 0] = groups;
  // A translator of the network calls the address inside: 64:ff9b::/96.
  if (first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((one) => one === 0)) {
    return isPublicIpv4(embeddedIpv4(groups));
  }
  // Global unicast is 2000::/3; everything beside it is local, mapped or reserved.
  if (first < 0x2000 || first > 0x3fff) return false;
  // Teredo and other protocols, documentation, and 6to4, which has an address of either kind inside.
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

function embeddedIpv4(groups: readonly number[]): string {
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
  return bytes.join('.');
}

/** Eight numbers. The URL parser knows every spelling, and writes one. */
function ipv6Groups(address: string): number[] | undefined {
  // A zone names an interface of this machine.
  if (address.includes('%')) return undefined;
  let written: string;
  try {
    written = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [head = '', tail] = written.split('::');
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((one) => parseInt(one, 16));
  if (tail === undefined) return read(head);
  const [left, right] = [read(head), read(tail)];
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
