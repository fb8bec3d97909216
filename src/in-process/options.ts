/** The options of an `InProcessHost`. */
import * as z from '../protocol/schema/zod.ts';
import { neverError } from '../client/errors.ts';
import { freshId } from '../platform/fresh-id.ts';
import { schemaRejection } from '../protocol/schema/rejection.ts';
import { Timeouts } from '../protocol/schema/session.ts';
import type { AgentPorts } from '../session/ports.ts';
import { type Clock, systemClock } from './clock.ts';
import { type InProcessStorage, memory } from './storage.ts';

/** A model and its name; `holdpoint/in-process/anthropic` makes one. */
export type AgentModel = NonNullable<AgentPorts['model']>;

export interface InProcessOptions {
  /** Where sessions are kept; left out, in memory, for as long as the process lives. */
  readonly storage?: InProcessStorage;
  /** Gives sessions with `agent` settings the built-in agent; left out, they take no messages. */
  readonly model?: AgentModel;
  /** Signs calls of HTTP tools, which verify them with `toolSecret()`; left out, each process has another one. */
  readonly secret?: string;
  /** Whether HTTP tools and targets may use plain `http`, and be on this machine or its network. */
  readonly allowPrivateTools?: boolean;
  /** Default deadlines in seconds by kind, for example `{ approval: 600 }`; null is no deadline. */
  readonly timeouts?: Timeouts;
  /** Left out, a role without `admin` cannot answer its own questions; false permits it. */
  readonly forbidSelfApproval?: boolean;
  /** For tests that control the time. */
  readonly clock?: Clock;
  /** Receives failures that no caller gets; left out, the console does. */
  readonly warn?: (message: string, evidence: unknown) => void;
}

export interface HostSettings extends Required<Omit<InProcessOptions, 'model'>> {
  readonly model: AgentModel | undefined;
}

const CheckedOptions = z.object({
  timeouts: Timeouts.default({}),
  forbidSelfApproval: z.boolean().default(true),
  allowPrivateTools: z.boolean().default(false),
  secret: z.string().min(24).optional(),
});

export function checkOptions(options: InProcessOptions): HostSettings {
  const { storage = memory, clock = systemClock, model } = options;
  const { secret = freshId() + freshId(), ...checked } = parseOrThrow(CheckedOptions, options);
  const warn =
    options.warn ?? ((message, evidence) => console.warn(`holdpoint: ${message}`, evidence));
  return { storage, clock, model, secret, warn, ...checked };
}

export function parseOrThrow<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw neverError('invalid_request', schemaRejection(parsed.error).message);
}
