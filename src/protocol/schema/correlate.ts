/**
 * How an opening without a tool call id describes its call, and how its call was found.
 *
 * A command that a shell runs knows its words, and a hook knows the tool and its input; neither knows the id that the model
 * gave the call. `core/rendezvous.ts` compares these descriptions with the calls that were reported.
 */
import * as z from './zod.ts';
import { fitsInBytes } from '../bytes.ts';
import { LIMITS } from '../limits.ts';

const CorrelatedName = z.string().min(1).max(LIMITS.toolNameChars);

const CommandWords = z
  .union([z.string().min(1), z.array(z.string()).min(1)])
  .refine(
    (command) => fitsInBytes([command].flat().join(' '), LIMITS.commandBytes),
    'Too long; leave out what is not needed to recognize the command',
  );

const CorrelateByWords = z
  .strictObject({
    plugin: CorrelatedName.optional(),
    operation: CorrelatedName.optional(),
    tool: CorrelatedName.optional(),
    command: CommandWords.optional(),
  })
  .refine(
    ({ tool, plugin }) => tool !== undefined || plugin !== undefined,
    'Name a tool or a plugin: an operation alone is in too many calls',
  );

/** `inputDigest`: SHA-256 of the canonical JSON (RFC 8785) of the input of the call. */
const CorrelateByInput = z.strictObject({
  toolName: CorrelatedName,
  inputDigest: z.string().regex(/^[0-9a-f]{64}$/, 'Use 64 hexadecimal digits in lower case'),
});

export const Correlate = z.union([CorrelateByInput, CorrelateByWords]).meta({ id: 'Correlate' });
export type Correlate = z.infer<typeof Correlate>;

/** `shell`: no call had the words, and this was the newest call of a shell; its score is 0. */
export const Correlated = z
  .strictObject({ by: z.enum(['words', 'shell', 'input']), score: z.number() })
  .meta({ id: 'Correlated' });
export type Correlated = z.infer<typeof Correlated>;
