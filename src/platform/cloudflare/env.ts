/** The bindings and settings that the platform passes to the Worker and to its objects, which it finds by name. */
import type { MailBinding } from './bound-mail.ts';
import type { SessionObject } from './session-object.ts';
import type { TargetObject } from './target-object.ts';
import type { WorkspaceObject } from './workspace-object.ts';
import type { LoginEnv } from '../login/login-settings.ts';
import type { SessionAddress } from '../../core/evolve.ts';

export interface Env extends LoginEnv {
  readonly SESSION: DurableObjectNamespace<SessionObject>;
  readonly WORKSPACE: DurableObjectNamespace<WorkspaceObject>;
  readonly TARGET: DurableObjectNamespace<TargetObject>;
  /** The platform's mail, if the deployment has it: a `send_email` binding. */
  readonly EMAIL?: MailBinding;
  readonly RATE_LIMIT?: RateLimit;
  readonly SESSION_RATE_LIMIT?: RateLimit;
  /** The folder with one file for each session; plain workerd alone has it. */
  readonly SESSION_FILES?: Fetcher;
  /** The folder with one file for each target. */
  readonly TARGET_FILES?: Fetcher;
  /** The way to push services: plain workerd has a network of public addresses for it, and tests a service of their own. */
  readonly PUSH_SERVICES?: Fetcher;
  readonly HOLDPOINT_SECRET?: string;
  readonly HOLDPOINT_ADMIN_KEY?: string;
  readonly HOLDPOINT_RATE_LIMIT?: string;
  readonly HOLDPOINT_SESSION_LIMIT?: string;
  readonly HOLDPOINT_TIMEOUTS?: string;
  readonly HOLDPOINT_ORIGINS?: string;
  readonly HOLDPOINT_DEMO?: string;
  readonly HOLDPOINT_PRIVATE_TOOLS?: string;
  readonly HOLDPOINT_FORBID_SELF_APPROVAL?: string;
  readonly HOLDPOINT_ACTIVITY?: string;
  readonly ANTHROPIC_API_KEY?: string;
  readonly ANTHROPIC_BASE_URL?: string;
  readonly ANTHROPIC_MODEL?: string;
}

/** The name of a session's object. It begins with the workspace of the caller's credential. */
export function sessionName(workspace: string, id: string): string {
  return `${workspace}/${id}`;
}

export function sessionAddress(name: string): SessionAddress {
  const slash = name.indexOf('/');
  return { workspace: name.slice(0, slash), id: name.slice(slash + 1) };
}
