/** The result of a command as it leaves the session: its body written out once, as response text. */
import type { Rejection } from '../protocol/error.ts';
import type { Handled } from './session.ts';

export interface ResultText {
  readonly ok: true;
  readonly json: string;
  readonly replayed: boolean;
  /** False when it was there already, or decided without asking anybody. */
  readonly isNew: boolean;
}

export function resultText(handled: Handled): ResultText | Rejection {
  if (!handled.ok) return handled;
  const { reply, body, replayed } = handled;
  const wasThere = reply.type === 'interaction' && reply.created === false;
  const isNew = reply.type !== 'gate' && !wasThere;
  return { ok: true, json: JSON.stringify(body), replayed, isNew };
}
