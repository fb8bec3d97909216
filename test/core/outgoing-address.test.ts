/** Which looked-up addresses are public. A bug here lets a name lead the server to itself. */
import { expect, it } from 'vitest';
import { isPublicAddress } from '../../src/core/outgoing-address.ts';
import { PRIVATE_IPV4, PRIVATE_IPV6 } from '../support/private-urls.ts';

it('[OUT-3] takes every private address for one, in each spelling', () => {
  for (const address of [...PRIVATE_IPV4, ...PRIVATE_IPV6]) {
    expect(isPublicAddress(address), address).toBe(false);
    expect(isPublicAddress(address.toUpperCase()), address).toBe(false);
  }
});

it.each([
  '8.8.8.8',
  '1.0.0.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '2001:4860:4860:0:0:0:0:8888',
  '64:ff9b::8.8.8.8',
])('[OUT-3] takes %s for a public one', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  '',
  'localhost',
  '8.8.8',
  '8.8.8.256',
  '08.8.8.8.8',
  '::g',
  'fe80::1%eth0',
  '2606::%1',
  '2606:::1',
])('[OUT-3] refuses %j, which is no address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
