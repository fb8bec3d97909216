/** What the HTTP surface needs from its platform: stubs, credentials, copies, rates, and the files that were built. */
import type { RunningCall, RunningCalls } from './running-calls.ts';
import type { Rejection } from '../protocol/errors.ts';
import type { AnswerLink } from '../core/answer-links/answer-link.ts';
import type { AudiencePolicy } from '../protocol/schema/audience-rule.ts';
import type { Caller } from '../protocol/caller.ts';
import type { Transport } from '../client/transport.ts';
import type { Timeouts } from '../protocol/schema/session.ts';
import type { Policy } from '../protocol/schema/workspace.ts';
import type { Member } from '../protocol/schema/person.ts';
import type { LoginPorts } from './login/ports.ts';
import type { RecordedWaits } from './streaming/recorded-waits.ts';
import type { SessionStub, FoundSession, WorkspaceStub, TargetStub, InboxStub } from './stubs.ts';

export interface Config {
  readonly version: string;
  readonly origins: readonly string[];
  readonly timeouts: Timeouts;
  /** Whether a caller may not answer its own question, where the workspace has no setting. */
  readonly forbidSelfApproval: boolean;
  /** The model of the built-in agent, `demo`, or `none`. */
  readonly agent: string;
}

/** A verified credential; it is valid in `workspace`, and only in `session` unless that is null. */
export interface Identity {
  readonly caller: Caller;
  readonly workspace: string;
  readonly session: string | null;
  readonly expiresAt: number | null;
  /** The credential and its ancestors, without those that cannot be revoked. */
  readonly chain: readonly string[];
}

export interface Grant {
  readonly kind: 'key' | 'session' | 'person';
  readonly id: string;
  readonly workspace: string;
  readonly session?: string;
  readonly scopes: Caller['scopes'];
  readonly subject: string;
  readonly expiresAt: number | null;
  readonly mintedBy: readonly string[];
  /** The first credential of its chain that an administrator made; absent: this one. */
  readonly root?: string;
  /** The program that a person uses the token with; absent: the chat. */
  readonly client?: 'cli';
}

/** What every request asks comes without a promise where it is known: each one is a turn of the request. */
export interface Credentials {
  /** Undefined: the signature is wrong, or the token has expired. */
  verify(token: string): Identity | undefined | Promise<Identity | undefined>;
  sign(grant: Grant): Promise<string>;
}

/** A copy of what workspaces decide, at most 50 seconds old. */
export interface WorkspaceCache<Value> {
  get(workspace: string): Value | Promise<Value>;
  /** For an isolate that has just made a change itself. */
  refresh(workspace: string): Promise<Value>;
}

export interface RateLimiter {
  /** Counts one request of this root. Returns the seconds to wait, or undefined to go ahead. */
  take(root: string): number | undefined | Promise<number | undefined>;
}

export interface AnswerLinks {
  /** The token in the address of the link. */
  write(link: AnswerLink): string;
  /** Undefined for a token that was not made here; it may have expired. */
  read(token: string): AnswerLink | undefined;
}

/** A text that is served as it was built. Each text is one value, so that it is compressed once. */
export interface WebFile {
  readonly text: string;
}

/** The hosted chat as it was built; this room does not look into it. */
export interface WebFiles {
  page(): Promise<WebFile>;
  /** The service worker of the page. */
  worker(): Promise<WebFile>;
  asset(name: string): Promise<WebFile | undefined>;
  /** The bytes of a PNG. */
  picture(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The name of the stylesheet of answer links, among the assets. */
  linkStyle(): Promise<string>;
}

/** The API reference as it was built. */
export interface ReferenceFiles {
  /** OpenAPI 3.1 as JSON. */
  document(): Promise<WebFile>;
  page(): Promise<WebFile>;
  style(): Promise<WebFile>;
}

/** Whom the tools of one MCP request serve; `integrations/mcp/` describes the fields. */
export interface McpHost {
  readonly transport: Transport;
  readonly session: string | undefined;
  readonly defaultSession: string;
  readonly title: string;
  readonly holder: string;
  readonly stateKey: Uint8Array;
  readonly giveUpAfterSeconds?: number | undefined;
  readonly inputText?: string | undefined;
  readonly onRunning: ((call: RunningCall) => () => void) | undefined;
  readonly keepRunning: (call: Promise<unknown>) => void;
  readonly warn: (message: string, evidence: unknown) => void;
}

/** The tools as an MCP server, which is loaded with the first request. */
export interface McpPorts {
  readonly calls: RunningCalls;
  /** The API, for what the tools ask in the name of the caller. */
  readonly api: (request: Request) => Response | Promise<Response>;
  readonly stateKey: (workspace: string) => Uint8Array;
  readonly serve: (request: Request, body: object, host: McpHost) => Promise<Response>;
}

/** The final frame of a rejected socket: a browser cannot read the status of a rejected upgrade. */
export interface RejectedUpgrade {
  readonly frame: string;
  readonly code: number;
  readonly reason: string;
  readonly subprotocol: string | undefined;
}

export interface HttpPorts {
  /**
   * Stubs for one request. A stub can stay broken after its object restarts, so a request that has
   * waited finds the session again before its next call.
   */
  readonly findSession: (workspace: string, id: string) => Promise<FoundSession | Rejection>;
  /** For `session.create` alone. */
  readonly newSession: (workspace: string, id: string) => Pick<SessionStub, 'handle'>;
  readonly workspace: (name: string) => WorkspaceStub;
  /** Undefined for a target that never existed. */
  readonly findTarget: (id: string) => Promise<TargetStub | undefined>;
  readonly inbox: (workspace: string) => InboxStub;
  readonly credentials: Credentials;
  readonly answerLinks: AnswerLinks;
  readonly policy: WorkspaceCache<Policy>;
  readonly recordedWaits: RecordedWaits;
  /** The copy that sessions of this isolate use. */
  readonly audiences: WorkspaceCache<AudiencePolicy>;
  /** The people whose sign-ins are accepted. */
  readonly members: WorkspaceCache<readonly Member[]>;
  readonly login: LoginPorts;
  readonly limiter: RateLimiter;
  /** Counts new sessions, in addition to requests. */
  readonly sessionLimiter: RateLimiter;
  /** With this secret the HTTP tools of a workspace verify calls. */
  readonly toolSecret: (workspace: string) => Promise<string>;
  /** Undefined where the application has no clients of its own, as in a process. */
  readonly mcp: McpPorts | undefined;
  /** Accepts a socket only to send the reason for its rejection, and closes it. */
  readonly rejectUpgrade: (upgrade: RejectedUpgrade) => Response;
  readonly web: WebFiles;
  readonly reference: ReferenceFiles;
  readonly config: Config;
  readonly now: () => number;
  readonly freshId: () => string;
  readonly warn: (message: string, evidence: unknown) => void;
}
