/**
 * Finds the kind of an interaction, or a substitute for a kind that this deployment no longer has. With the substitute
 * an open interaction can be cancelled and can expire, so that no agent waits forever, but it cannot be answered.
 */
import * as z from 'zod';
import { reject } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import type { Kind, KindRegistry } from './kind.ts';
import { defineKind } from './define-kind.ts';

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
    interpret: () =>
      reject(
        'unknown_kind',
        `This deployment no longer has the kind "${name}"; cancel the interaction instead`,
      ),
    takesText: () => false,
    fromText: () => undefined,
    textHint: 'This can no longer be answered; cancel it',
    expired: () => 'Timed out',
    cancelled: 'Interaction cancelled',
    allow: () => ({ updatedInput: {} }),
  });
}
