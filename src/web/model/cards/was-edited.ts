import type { Interaction } from '../../../protocol/types.ts';

/** A person approved another input than was asked for. */
export function wasEdited({ outcome, updatedInput, request }: Interaction): boolean {
  const { input } = request;
  return (
    outcome === 'approved' &&
    updatedInput !== undefined &&
    JSON.stringify(updatedInput) !== JSON.stringify(input)
  );
}
