/**
 * The way back to the workspace that a person came from. Another workspace knows nothing of it: a credential is of one
 * workspace, and so the first one is kept on this device, for the token with which the person went there, until a sign-out.
 */
import { isObject } from '../../protocol/types.ts';
import type { KeyValueStore } from './key-value-store.ts';
import { HOME_NAME } from './key-value-store.ts';

export interface HomeWorkspace {
  readonly title: string;
  /** As the person had it there: a token, or the mark of a cookie. */
  readonly token: string;
}

interface KeptHome extends HomeWorkspace {
  /** The token with which the other workspace was entered: another person on this device has another one. */
  readonly entered: string;
}

/** From the second workspace to a third one, the first one stays the way back. */
export function keepHome(store: KeyValueStore, here: HomeWorkspace, entered: string): void {
  const { title, token } = loadHome(store, here.token) ?? here;
  const kept: KeptHome = { title, token, entered };
  store.set(HOME_NAME, JSON.stringify(kept));
}

/** Undefined for a person who did not come from another workspace. */
export function loadHome(store: KeyValueStore, currentToken: string): HomeWorkspace | undefined {
  const home = parseHome(store.get(HOME_NAME));
  return home?.entered === currentToken ? home : undefined;
}

function parseHome(text: string | undefined): KeptHome | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { title, token, entered } = value;
    if (typeof title !== 'string' || typeof token !== 'string' || typeof entered !== 'string')
      return undefined;
    return { title, token, entered };
  } catch {
    return undefined;
  }
}
