/** A deployment whose people have links alone: no provider, and no library of one. */
import type { LoginPorts } from '../../http/login/ports.ts';
import { sealedTexts } from './sealed-texts.ts';

export function noLogin(secret: string, now: () => number): LoginPorts {
  return {
    provider: undefined,
    access: undefined,
    rolesOf: () => ({ unknown: null, atLeast: null }),
    seals: sealedTexts(secret, now),
    placeOf: () => null,
  };
}
