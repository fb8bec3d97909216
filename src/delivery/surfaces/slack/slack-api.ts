/**
 * Calls of the Slack API, and what their refusals mean for a delivery.
 *
 * Slack refuses with status 200 and `ok: false`. A refusal that only an administrator can end is permanent: a repeat
 * would fail in the same way, and the list of deliveries names it. Every other one is tried again, also one that is
 * not known here.
 */
import { type JsonObject, parseJson } from '../../../protocol/json.ts';
import type { SettingsOf } from '../surface-settings.ts';
import type { SurfacePorts, SurfaceReply } from '../surface.ts';

type SlackSettings = SettingsOf<'slack'>;
type Send = Pick<SurfacePorts, 'send'>;

const API_URL = 'https://slack.com/api';
const RESPONSE_URL = 'https://hooks.slack.com/';
const RATE_LIMITED = 429;

export type SlackResult =
  | { readonly ok: true; readonly reply: SurfaceReply; readonly json: JsonObject }
  | {
      readonly ok: false;
      readonly reply: SurfaceReply;
      /** Undefined: no response of Slack says whether the call has happened. */
      readonly error: string | undefined;
    };

/** A method that takes JSON. */
export async function callSlack(
  { send }: Send,
  settings: SlackSettings,
  method: 'chat.postMessage' | 'chat.update' | 'chat.postEphemeral' | 'views.open',
  content: object,
): Promise<SlackResult> {
  const reply = await send({
    url: `${apiUrl(settings)}/${method}`,
    headers: {
      authorization: `Bearer ${settings.botToken}`,
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(content),
  });
  return readSlackReply(reply);
}

/** A method that reads, which takes no JSON. */
export async function readSlack(
  { send }: Send,
  settings: SlackSettings,
  method: 'conversations.history',
  query: Readonly<Record<string, string>>,
): Promise<SlackResult> {
  const reply = await send({
    method: 'GET',
    url: `${apiUrl(settings)}/${method}?${new URLSearchParams(query).toString()}`,
    headers: { authorization: `Bearer ${settings.botToken}` },
  });
  return readSlackReply(reply);
}

function apiUrl({ apiUrl: url = API_URL }: SlackSettings): string {
  return url.replace(/\/$/, '');
}

function readSlackReply(reply: SurfaceReply): SlackResult {
  if (reply.status === RATE_LIMITED) return { ok: false, reply, error: 'ratelimited' };
  if (reply.problem !== undefined) return { ok: false, reply, error: undefined };
  const parsed = parseJson(reply.text);
  const json = parsed.ok ? readObject(parsed.value) : undefined;
  if (json?.['ok'] === true) return { ok: true, reply, json };
  const error = json?.['error'];
  if (typeof error !== 'string') {
    return { ok: false, reply: { ...reply, problem: 'Not a response of Slack' }, error: undefined };
  }
  const code = /^[a-z_]{1,60}$/.test(error) ? error : 'an unknown error';
  return { ok: false, reply: { ...reply, problem: `Slack refused: ${code}` }, error: code };
}

function readObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

const PERMANENT: ReadonlySet<string> = new Set([
  'access_denied',
  'account_inactive',
  'as_user_not_supported',
  'cant_update_message',
  'channel_not_found',
  'edit_window_closed',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'invalid_arguments',
  'invalid_auth',
  'invalid_blocks',
  'invalid_blocks_format',
  'is_archived',
  'is_inactive',
  'messages_tab_disabled',
  'metadata_too_large',
  'missing_scope',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'not_in_channel',
  'org_login_required',
  'restricted_action',
  'restricted_action_read_only_channel',
  'team_access_not_granted',
  'token_expired',
  'token_revoked',
  'two_factor_setup_required',
]);

export function isPermanentError(error: string | undefined): boolean {
  return error !== undefined && PERMANENT.has(error);
}

/** Only an address of Slack, or of the double that a test has in its place. */
export function isResponseUrl(settings: SlackSettings, url: string): boolean {
  if (url.startsWith(RESPONSE_URL)) return true;
  return settings.apiUrl !== undefined && URL.canParse(url) && isSameOrigin(url, settings.apiUrl);
}

function isSameOrigin(left: string, right: string): boolean {
  return new URL(left).origin === new URL(right).origin;
}
