import type { Usage } from './schema/usage.ts';

/** The tokens of both together. A turn without usage adds none. */
export function addTurnUsage(total: Usage | undefined, turn: Usage | undefined): Usage | undefined {
  if (total === undefined || turn === undefined) return total ?? turn;
  const names = Object.keys(turn) as (keyof Usage)[];
  return Object.fromEntries(names.map((name) => [name, total[name] + turn[name]])) as Usage;
}
