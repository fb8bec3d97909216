/**
 * Whether two names are one person's: after NFKC and without the case of letters. `MIA` and `ｍia` are `mia`, so that no one
 * votes twice by another spelling. Records keep the name as it was given.
 */
function foldName(name: string): string {
  // By way of capitals: some letters, such as ı and ſ, have the capital of another one.
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}

export function isSameName(one: string, other: string): boolean {
  return one === other || foldName(one) === foldName(other);
}
