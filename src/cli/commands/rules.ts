/** `holdpoint rules`: lists, makes, tries and revokes the rules of the workspace; for an administrator. */
import { type HttpCalls, readPart } from '../../client/requests/http-calls.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ListedRule, RuleTrial } from '../../protocol/schema/workspace.ts';
import { describePattern } from '../../protocol/rule-words.ts';
import { parseTimeout } from '../ask-person.ts';
import { type CliCall, type CliAction, parseJsonInput } from '../cli-command.ts';
import { EXIT, type ExitCode, usageError } from '../exit-code.ts';
import { httpCallsOf, personAccess } from '../server-access.ts';
import { describeSpan, printTable } from '../show-table.ts';

type PrintedRule = Pick<ListedRule, 'scope' | 'session' | 'rule' | 'pattern' | 'used'>;

const EFFECTS = ['allow', 'ask', 'deny'];
/** What a rule looks at; it looks at no more than one. */
const PATTERN_OPTIONS = ['command', 'path', 'host'] as const;

export const rules: CliAction = async (call) => {
  const [action = 'list', name, more] = call.args.positionals;
  const isList = action === 'list' && name === undefined;
  const isKnown = isList || action === 'revoke' || EFFECTS.includes(action);
  if (!isKnown || (!isList && name === undefined) || more !== undefined) {
    throw usageError(
      'Use: holdpoint rules, holdpoint rules allow|ask|deny TOOL, or holdpoint rules revoke ID.',
    );
  }
  const calls = httpCallsOf(await personAccess(call), call.terminal);
  if (name === undefined) return printRules(call, calls);
  if (action === 'revoke') return sendRevocation(call, calls, name);
  const wanted = readWantedRule(call, action, name);
  return call.args.has('try') ? printTrial(call, calls, wanted) : sendRule(call, calls, wanted);
};

async function printRules({ out, isJson, terminal }: CliCall, calls: HttpCalls): Promise<ExitCode> {
  const rows: string[][] = [];
  for (let after: string | undefined, isMore = true; isMore; ) {
    const reply = await calls.get('/v1/rules', { after });
    for (const listed of readPart<readonly PrintedRule[]>(reply, 'rules')) {
      if (isJson) out.json(listed);
      else rows.push(ruleRow(listed, terminal.now()));
    }
    const { next } = reply.body;
    isMore = typeof next === 'string' && next !== after;
    if (typeof next === 'string') after = next;
  }
  if (!isJson) {
    printTable(out, ['RULE', 'EFFECT', 'WHERE', 'EXPIRES', 'USED', 'BY', 'COVERS'], rows);
  }
  return EXIT.ok;
}

function ruleRow({ session, rule, pattern, used }: PrintedRule, now: number): string[] {
  const { id, effect = 'allow', expiresAt, createdBy, reason } = rule;
  return [
    id,
    effect,
    session?.id ?? 'workspace',
    expiresAt === undefined ? 'never' : `in ${describeSpan(expiresAt - now)}`,
    String(used?.count ?? 0),
    createdBy,
    reason === undefined ? pattern : `${pattern} (${reason})`,
  ];
}

function readWantedRule({ args, terminal }: CliCall, effect: string, toolName: string): JsonObject {
  const given = [...PATTERN_OPTIONS, 'input'].filter((name) => args.text(name) !== undefined);
  if (given.length > 1) {
    const names = given.map((name) => `--${name}`).join(' and ');
    throw usageError(`${names}: a rule looks at one of them. Make a rule for each.`);
  }
  const rule: Record<string, JsonObject[string]> = { effect, toolName };
  for (const name of [...PATTERN_OPTIONS, 'reason']) {
    const text = args.text(name);
    if (text !== undefined) rule[name] = text;
  }
  const input = args.text('input');
  if (input !== undefined) rule['input'] = parseJsonInput(input, '--input') as JsonObject;
  if (args.has('every-command')) rule['everyCommand'] = true;
  const ttl = args.text('ttl');
  const seconds = ttl === undefined ? null : parseTimeout(ttl, '--ttl');
  if (seconds !== null) rule['expiresAt'] = terminal.now() + seconds * 1_000;
  return rule;
}

async function sendRule(call: CliCall, calls: HttpCalls, wanted: JsonObject): Promise<ExitCode> {
  const { out, isJson } = call;
  const rule = readPart<PrintedRule['rule']>(await calls.post('/v1/rules', wanted), 'rule');
  if (isJson) out.json(rule);
  else {
    const pattern = describePattern(rule);
    out.print(
      `${rule.id}: ${rule.effect ?? 'allow'} ${pattern}, in every session within a minute.`,
    );
  }
  return EXIT.ok;
}

async function printTrial(call: CliCall, calls: HttpCalls, wanted: JsonObject): Promise<ExitCode> {
  const { out, isJson } = call;
  const { body } = await calls.post('/v1/rules/try', wanted);
  const trial = body as unknown as RuleTrial;
  if (isJson) {
    out.json(trial);
    return EXIT.ok;
  }
  const { tried, changed, becomes, notTried } = trial;
  out.print(
    `Of the last ${tried} requests ${changed} would change: ${becomes.allowed} allowed, ${becomes.asked} asked, ${becomes.denied} denied.`,
  );
  if (notTried > 0) out.print(`${notTried} more are too large to be kept for a try.`);
  const rows = trial.requests.map(({ before, after, sessionId, toolName, input }) => [
    before,
    after,
    sessionId,
    `${toolName}: ${input}`,
  ]);
  if (rows.length > 0) printTable(out, ['BEFORE', 'AFTER', 'SESSION', 'REQUEST'], rows);
  return EXIT.ok;
}

async function sendRevocation(
  { out, isJson }: CliCall,
  calls: HttpCalls,
  id: string,
): Promise<ExitCode> {
  await calls.change('DELETE', `/v1/rules/${encodeURIComponent(id)}`);
  if (isJson) out.json({ revoked: id });
  else out.print(`${id} is revoked, in every session within a minute.`);
  return EXIT.ok;
}
