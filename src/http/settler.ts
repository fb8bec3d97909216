/** Whose act it is, as records and the audit list keep it. */
import { type Settler, settlerOf } from '../protocol/actor.ts';
import type { Identity } from './ports.ts';

export function settler({ caller }: Identity): Settler {
  return settlerOf(caller);
}
