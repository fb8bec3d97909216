/** What spans sessions: the directory, the inbox, keys, the audit list, settings. */
import * as z from './zod.ts';
import { Scope, Via } from './actor.ts';
import { AudienceRule } from './audience-rule.ts';
import { Labels, StoredAudience } from './audience.ts';
import { GateOutcome } from './gated-request.ts';
import { SessionId } from './ids.ts';
import { Retention } from './retention.ts';
import { InteractionView, JsonObjectSchema, Outcome } from './interaction.ts';
import { LIMITS } from '../limits.ts';
import { RuleScope } from './cited-rule.ts';
import { Name } from './name.ts';
import { ModelPrice } from './prices.ts';
import { Rule, RuleEffect } from './rule.ts';
import { PermissionMode, TimeoutsInput } from './session.ts';

/** What a session reports of itself for the list. */
export const SessionAbout = z.strictObject({
  lastAt: z.number().exactOptional().describe('The time of the last event.'),
  lastLine: z
    .string()
    .exactOptional()
    .describe('The beginning of the last message, text, failure or request.'),
  agent: z
    .strictObject({ type: z.enum(['built-in', 'cli', 'client']), name: z.string() })
    .exactOptional()
    .describe(
      'The built-in agent with its model, a command-line agent, or the subject of a client.',
    ),
});
export type SessionAbout = Readonly<z.infer<typeof SessionAbout>>;

export const SessionEntry = z
  .defer(() =>
    z.strictObject({
      id: SessionId,
      title: z.string().nullable(),
      createdAt: z.number(),
      head: z.number(),
      open: z.number(),
      ...SessionAbout.shape,
      labels: Labels.exactOptional(),
      archived: z.literal(true).exactOptional(),
      pinned: z.literal(true).exactOptional().describe('By the person who asks.'),
    }),
  )
  .meta({ id: 'SessionEntry' });
export type SessionEntry = z.infer<typeof SessionEntry>;

export const InboxEntry = InteractionView.pick({
  interactionId: true,
  toolCallId: true,
  toolName: true,
  kind: true,
  presentation: true,
  inputDigest: true,
  openedAt: true,
  openedBy: true,
  expiresAt: true,
  overdue: true,
  audience: true,
  quorum: true,
  notRequester: true,
  votes: true,
  claim: true,
})
  .extend({
    sessionId: SessionId,
    sessionTitle: z.string().nullable(),
    sessionLabels: Labels.exactOptional(),
    /** Null when it is too large for a list; the session has it. */
    request: JsonObjectSchema.nullable(),
    beyondShare: z
      .literal(true)
      .exactOptional()
      .describe('It is listed behind the shares of all who ask: its root has asked much at once.'),
  })
  .meta({ id: 'InboxEntry' });
export type InboxEntry = z.infer<typeof InboxEntry>;

export const AuditEntry = z.strictObject({
  at: z.number(),
  sessionId: z.string().optional(),
  seq: z.number(),
  what: z.enum([
    'interaction',
    'gate',
    'session',
    'settings',
    'key',
    'token',
    'target',
    'group',
    'person',
    'rule',
    'audit',
    'workspace',
  ]),
  subject: z.string(),
  via: Via,
  /** The credential that acted and the key it descends from; absent where no caller sent a command. */
  by: z.strictObject({ credential: z.string(), key: z.string() }).optional(),
  interactionId: z.string().optional(),
  toolName: z.string().optional(),
  kind: z.string().optional(),
  outcome: Outcome.optional(),
  reason: z.string().optional(),
  digest: z.string().optional(),
  /** How long the request was open. */
  waitedMs: z.number().optional(),
  permissionMode: PermissionMode.optional(),
  rule: z.string().optional(),
  /** Of the rule that decided, was made or was revoked. */
  ruleScope: RuleScope.optional(),
  effect: RuleEffect.optional(),
  /** What the rule covers, in words. */
  pattern: z.string().optional(),
  /** What it was set to; null: it is left to the deployment. */
  forbidSelfApproval: z.boolean().nullable().optional(),
  key: z.string().optional(),
  token: z.string().optional(),
  target: z.string().optional(),
  group: z.string().optional(),
  workspace: z.string().optional(),
  /**
   * The name that a new key or token was given, and what it may do; the person that a change is about; the maker of the rule
   * that decided.
   */
  named: z.string().optional(),
  scopes: z.array(Scope).optional(),
  change: z.string().optional(),
  /** The approvals that there are with this vote, and how many it takes. */
  approvals: z.number().optional(),
  quorum: z.number().optional(),
  /** The people, groups and targets that are asked from this handover on. */
  to: StoredAudience.optional(),
  /** How many entries the change is about. */
  count: z.number().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const ListedAuditEntry = AuditEntry.extend({
  number: z.number().describe('Its place in the chain, from 1.'),
  hash: z
    .string()
    .describe(
      'SHA-256 over the entry, its number and the hash of the one before; empty for an entry from before there was a chain, until the next entry.',
    ),
}).meta({ id: 'AuditEntry' });
export type ListedAuditEntry = z.infer<typeof ListedAuditEntry>;

/** `from` is the first time, `to` the first time after it. */
export interface AuditFilter {
  readonly who?: string | undefined;
  readonly what?: AuditEntry['what'] | undefined;
  readonly session?: string | undefined;
  readonly outcome?: z.infer<typeof Outcome> | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly text?: string | undefined;
}

/** A request that was decided, as the audit list has it, with the title that its session has now. */
export const DecisionEntry = AuditEntry.pick({
  at: true,
  seq: true,
  subject: true,
  via: true,
  interactionId: true,
  toolName: true,
  kind: true,
  outcome: true,
  reason: true,
  change: true,
  approvals: true,
  quorum: true,
  to: true,
})
  .extend({
    sessionId: z.string(),
    sessionTitle: z.string().nullable().describe('Null: it has none, or is deleted.'),
    what: z
      .enum(['interaction', 'gate'])
      .describe('`gate`: a rule or the mode decided, and no person was asked.'),
  })
  .meta({ id: 'DecisionEntry' });
export type DecisionEntry = z.infer<typeof DecisionEntry>;

export const KeyView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    scopes: z.array(Scope),
    createdAt: z.number(),
    createdBy: z.string(),
    expiresAt: z.number().nullable(),
  })
  .meta({ id: 'Key' });
export type KeyView = z.infer<typeof KeyView>;

export const ListedKey = KeyView.extend({
  usedAt: z
    .number()
    .nullable()
    .describe(
      'When it, or a token that descends from it, was used last, to the hour; null: never.',
    ),
  tokens: z.number().describe('Its tokens that have not expired, which end with it.'),
}).meta({ id: 'ListedKey' });
export type ListedKey = z.infer<typeof ListedKey>;

/** A token that was handed out and has not expired. */
export const TokenView = z
  .strictObject({
    id: z.string(),
    subject: z.string(),
    scopes: z.array(Scope),
    session: SessionId.nullable().describe('Null: good for the whole workspace.'),
    createdAt: z.number(),
    createdBy: z
      .strictObject({ subject: z.string(), credential: z.string(), key: z.string() })
      .describe('The credential it was made with, and the key from which both descend.'),
    expiresAt: z.number(),
    revokedAt: z.number().nullable().describe('Or when a credential of its line was revoked.'),
  })
  .meta({ id: 'Token' });
export type TokenView = z.infer<typeof TokenView>;

export const CreateKey = z
  .strictObject({
    name: Name,
    scopes: z.array(Scope).min(1).max(5),
    expiresAt: z.number().int().positive().optional(),
  })
  .meta({ id: 'CreateKey' });

const TokenScope = Scope.exclude(['admin']);

/** For one session; an agent's process may hold one too. */
export const CreateToken = z
  .strictObject({
    scopes: z.array(TokenScope).min(1).max(4),
    subject: Name.optional(),
    ttlSeconds: z.number().int().min(1).max(LIMITS.tokenMaxSeconds).optional(),
    client: z
      .literal('cli')
      .optional()
      .describe(
        'For the command line: answers with it, and with tokens made from it, are `via: "cli"`.',
      ),
  })
  .meta({ id: 'CreateToken' });

/** For a person, everywhere in the workspace. */
export const CreatePersonToken = CreateToken.extend({
  scopes: z
    .array(TokenScope.exclude(['agent']))
    .min(1)
    .max(3),
}).meta({ id: 'CreatePersonToken' });

/** A rule in a list over workspace and sessions. */
export const ListedRule = z
  .strictObject({
    scope: RuleScope,
    /** Null for a rule of the workspace. */
    session: z.strictObject({ id: SessionId, title: z.string().nullable() }).nullable(),
    rule: Rule,
    pattern: z.string().describe('What it covers, in words.'),
    used: z
      .strictObject({ count: z.number(), lastAt: z.number() })
      .nullable()
      .describe('Its decisions among the last 500 requests.'),
  })
  .meta({ id: 'ListedRule' });
export type ListedRule = z.infer<typeof ListedRule>;

/** What a rule would have made of the last requests of the workspace. */
export const RuleTrial = z
  .strictObject({
    tried: z.number(),
    notTried: z.number().describe('Requests with an input that is too large to be kept.'),
    changed: z.number(),
    becomes: z
      .strictObject({ allowed: z.number(), asked: z.number(), denied: z.number() })
      .describe('Of those that change.'),
    requests: z
      .array(
        z.strictObject({
          sessionId: z.string(),
          sessionTitle: z.string().nullable(),
          interactionId: z.string().optional(),
          at: z.number(),
          toolName: z.string(),
          input: z.string().describe('The beginning of what the rule looked at.'),
          before: GateOutcome,
          after: GateOutcome,
        }),
      )
      .describe('Those that change, newest first.'),
  })
  .meta({ id: 'RuleTrial' });
export type RuleTrial = z.infer<typeof RuleTrial>;

export const Settings = z
  .strictObject({
    timeouts: TimeoutsInput,
    forbidSelfApproval: z
      .boolean()
      .optional()
      .describe(
        'Who asked may not answer, unless with `admin`; left out, the deployment decides, which forbids it by default.',
      ),
    permissionMode: PermissionMode.exclude(['bypassPermissions'])
      .optional()
      .describe('The mode of new sessions that name none; left out, `default`.'),
    retention: Retention.optional().describe('Left out, sessions are kept for good.'),
    audiences: z
      .array(AudienceRule)
      .max(LIMITS.audienceRules)
      .optional()
      .describe('Whom requests are for. The first rule that matches a request counts.'),
    prices: z
      .array(ModelPrice)
      .max(LIMITS.modelPrices)
      .optional()
      .describe('What tokens cost; without them a turn of the built-in agent has no cost.'),
  })
  .meta({ id: 'Settings', description: 'Defaults of a workspace.' });
export type Settings = z.infer<typeof Settings>;

/** What every isolate keeps a copy of: who was turned away, and the workspace's defaults. */
export interface Policy {
  readonly revoked: readonly string[];
  readonly settings: Settings;
}
