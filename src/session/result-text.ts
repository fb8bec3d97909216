/** The result of a command as it leaves the session: its body written out once, as response text. */
import type { Rejection } from '../protocol/errors.ts';
import type { Done, Handled } from './session.ts';

/** Whether anything came of it that was not there before. */
export interface Fate {
  readonly replayed: boolean;
  /** False when it was there already, or decided without asking anybody. */
  readonly isNew: boolean;
}

export interface ResultText extends Fate {
  readonly ok: true;
  readonly json: string;
}

export function fateOf({ reply, replayed }: Pick<Done, 'reply' | 'replayed'>): Fate {
  const wasThere = reply.type === 'interaction' && reply.created === false;
  return { isNew: reply.type !== 'gate' && !wasThere, replayed };
}

export function resultText(handled: Handled): ResultText | Rejection {
  if (!handled.ok) return handled;
  return { ok: true, json: JSON.stringify(handled.body), ...fateOf(handled) };
}
