/** The result of a read: the value, or the reason it is refused. */
import type { Rejection } from './errors.ts';

export type ReadResult<Value> = { readonly ok: true; readonly value: Value } | Rejection;
