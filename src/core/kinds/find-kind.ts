/**
 * Stands in for a kind that this deployment no longer has: its open interactions can be cancelled
 * and can expire, so that nobody waits for ever, and can not be answered.
 */
import * as z from 'zod';
import { reject } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import type { Kind, KindRegistry } from './kind.ts';
import { defineKind } from './define-kind.ts';

/** A question may outlive the kind it was asked as; then it can only end, and never as a yes. */
export function findKind(kinds: KindRegistry, interaction: Interaction): Kind {
  return kinds.get(interaction.kind) ?? createRetiredKind(interaction.kind);
}

function createRetiredKind(name: string): Kind {
  return defineKind({
    name,
    presentation: 'tool',
    request: z.looseObject({}),
    answer: z.looseObject({}),
    gated: false,
    allowsDefaultAnswer: false,
    input: (request) => request,
    interpret: () => reject('unknown_kind', `This deployment no longer knows the kind "${name}"`),
    takesText: () => false,
    fromText: () => undefined,
    textHint: 'This can no longer be answered; cancel it',
    expired: () => 'Timed out',
    cancelled: 'Interaction cancelled',
    allow: () => ({ updatedInput: {} }),
  });
}
