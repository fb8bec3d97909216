/** Close codes that stand for something a peer must not say; the platform refuses to send them. */
const UNSENDABLE = [1004, 1005, 1006, 1015];

/** The code to close with in return: the peer's own, or the plain one where that cannot be sent. */
export function codeInReturn(code: number): number {
  const canBeSent = code >= 1000 && code < 5000 && !UNSENDABLE.includes(code);
  return canBeSent ? code : 1000;
}
