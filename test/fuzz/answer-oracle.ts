/**
 * The rules for every response: a success as its route describes, or a refusal as the table of errors describes.
 * Everything else is a bug, above all a 5xx.
 */
import type { ErrorCode } from '../../src/protocol/errors.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import type { HttpRoute } from '../../src/http/route.ts';
import { type Reply, refusalProblem } from '../support/http/call.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** A stack trace, or the inside of an error of the platform or the database. */
const INSIDES = /\bat \S+ \(|\.[jt]s:\d+:\d+|SQLITE_|internal error; reference/;
const SHOWN = 300;

const PATTERNS = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`),
}));

/** Why the response breaks the rules, or undefined. */
export function answerProblem(request: FuzzRequest, reply: Reply): string | undefined {
  const { status, headers, text } = reply;
  const seen = `${status} ${text.slice(0, SHOWN)}`;
  const isOurs = headers.has('x-content-type-options') || status === 101;
  if (status >= 500) return `failed: ${seen}`;
  // The response to a preflight has no body to check.
  if (request.method === 'OPTIONS' && status === 204) return undefined;
  if (INSIDES.test(text) && !text.startsWith('{"events"')) return `tells of its inside: ${seen}`;
  if (!isOurs) {
    const isRuntime = request.isOdd && status >= 400;
    return isRuntime ? undefined : `not an answer of this service: ${seen}`;
  }
  if (status >= 400 && isMcpRefusal(request, reply)) return undefined;
  if (status >= 400) return request.method === 'HEAD' ? undefined : refusalProblem(reply);
  return successProblem(request, reply);
}

/** Beyond what every route checks, MCP has error responses of its own. */
function isMcpRefusal({ method, target }: FuzzRequest, { text }: Reply): boolean {
  const isMcp = routesAt(method, target).some(({ path }) => path === '/mcp');
  return (
    (isMcp || target.startsWith('/mcp')) &&
    /^\{"jsonrpc":"2\.0","error":|^\{"error":\{"code":-/.test(text)
  );
}

function successProblem({ method, target, headers }: FuzzRequest, reply: Reply) {
  const served = routesAt(method === 'HEAD' ? 'GET' : method, target);
  if (served.length === 0) return `answers what no route serves: ${reply.status}`;
  const isUpgrade = headers.some(([name]) => name === 'Upgrade');
  if (reply.status === 101) return isUpgrade ? undefined : 'became a socket unasked';
  const problems = served.map((route) => bodyProblem(route, method, reply));
  return problems.includes(undefined) ? undefined : problems[0];
}

/** Several routes match a path with a fixed word where another has an id. */
export function routesAt(method: string, target: string): HttpRoute[] {
  const raw = target.split(/[?#]/)[0] ?? '';
  const paths = [raw, URL.parse(`http://fuzz${raw}`)?.pathname ?? raw, decoded(raw)];
  return PATTERNS.filter(
    ({ route, pattern }) => route.method === method && paths.some((path) => pattern.test(path)),
  ).map(({ route }) => route);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function bodyProblem(route: HttpRoute, method: string, reply: Reply): string | undefined {
  const { status, headers, text } = reply;
  const answer = route.responses[status];
  if (answer === undefined) return `${route.method} ${route.path} describes no ${status}`;
  if (method === 'HEAD' || headers.get('content-type') === 'text/event-stream') return undefined;
  if (status === 204) return text === '' ? undefined : `204 with a body: ${text.slice(0, SHOWN)}`;
  if (answer.schema === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `not JSON: ${text.slice(0, SHOWN)}`;
  }
  const parsed = answer.schema.safeParse(json);
  if (parsed.success) return undefined;
  const issues = JSON.stringify(parsed.error.issues).slice(0, 500);
  return `not as ${route.method} ${route.path} describes it: ${issues} in ${text.slice(0, SHOWN)}`;
}

/** The key by which the report counts responses. */
export function codeIn(reply: Reply): ErrorCode | 'runtime' | '' {
  if (reply.status < 400) return '';
  return (
    (/^\{"error":\{"code":"(\w+)"/.exec(reply.text)?.[1] as ErrorCode | undefined) ?? 'runtime'
  );
}
