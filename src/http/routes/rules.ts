/** Rules of the workspace, and the list of all rules. Those of a session are made and revoked with the session. */
import * as z from '../../protocol/schema/zod.ts';
import { allowsByItself } from '../../core/rules/match-rule.ts';
import { settlerOf } from '../../protocol/caller.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { isObject, type JsonObject } from '../../protocol/types.ts';
import type { InteractionView } from '../../protocol/schema/interaction.ts';
import { CreateRule, CreateWorkspaceRule, Rule } from '../../protocol/schema/rule.ts';
import { ListedRule, RuleTrial } from '../../protocol/schema/workspace.ts';
import { readResponse, type RouteCall, route, RULES_TAG, BY_ADMIN } from '../route.ts';
import { After, PageSize, RuleId } from './params.ts';

const RuleReply = z.strictObject({ rule: Rule }).meta({ id: 'RuleReply' });
const RulesPageBody = z
  .strictObject({ rules: z.array(ListedRule), next: z.string().optional() })
  .meta({ id: 'RulesPage' });

type CreateCall = Pick<
  RouteCall<unknown, unknown, CreateWorkspaceRule>,
  'body' | 'ports' | 'identity'
>;

export const ruleRoutes = [
  route({
    method: 'GET',
    path: '/v1/rules',
    operationId: 'listRules',
    tag: RULES_TAG,
    summary: 'List the rules of the workspace and of its sessions',
    description:
      'Those of the workspace first. `used` counts the decisions of each rule among the last 500 requests.',
    access: { in: 'workspace', anyOf: ['read'] },
    query: z.strictObject({ limit: PageSize.optional(), after: After.optional() }),
    responses: { 200: { description: 'One page', schema: RulesPageBody } },
    handle: async ({ workspace, query }) =>
      readResponse(await workspace.rules(query), (page) => page),
  }),
  route({
    method: 'POST',
    path: '/v1/rules',
    operationId: 'createRule',
    tag: RULES_TAG,
    summary: 'Make a rule of the workspace; sessions follow within a minute',
    description:
      'An equal rule is made once. With `from`, the rule must allow the very input of that open request.',
    access: BY_ADMIN,
    body: CreateWorkspaceRule,
    responses: {
      201: { description: 'The rule, or an equal one that was there', schema: RuleReply },
    },
    errorCodes: ['invalid_values', 'limit_reached'],
    async handle({ workspace, body, identity, ports }) {
      const refused = await rejectUncovered({ body, identity, ports });
      if (refused !== undefined) return refused;
      const made = await workspace.createRule(body, settlerOf(identity.caller));
      if (!made.ok) return made;
      await ports.audiences.refresh(identity.workspace);
      return { status: 201, json: { rule: made.value } };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/rules/try',
    operationId: 'tryRule',
    tag: RULES_TAG,
    summary: 'Show what a rule would have made of the last 500 requests',
    description: 'Nothing is stored. Rules of sessions are not taken into account.',
    access: BY_ADMIN,
    body: CreateRule,
    responses: { 200: { description: 'The requests that change', schema: RuleTrial } },
    errorCodes: ['invalid_values'],
    handle: async ({ workspace, body }) =>
      readResponse(await workspace.tryRule(body), (trial) => trial),
  }),
  route({
    method: 'DELETE',
    path: '/v1/rules/:ruleId',
    operationId: 'deleteRule',
    tag: RULES_TAG,
    summary: 'Revoke a rule of the workspace; sessions follow within a minute',
    access: BY_ADMIN,
    params: z.strictObject({ ruleId: RuleId }),
    responses: { 204: { description: 'Revoked' } },
    async handle({ workspace, params, identity, ports }) {
      const deleted = await workspace.deleteRule(params.ruleId, settlerOf(identity.caller));
      if (!deleted.ok) return deleted;
      await ports.audiences.refresh(identity.workspace);
      return new Response(null, { status: 204 });
    },
  }),
];

/** A rule that is made from a request must be about what its card shows. */
async function rejectUncovered({
  body,
  identity,
  ports,
}: CreateCall): Promise<Rejection | undefined> {
  const { from, input: _input, ...fields } = body;
  if (from === undefined) return undefined;
  const found = await ports.findSession(identity.workspace, from.sessionId);
  if (!found.ok) return found;
  const read = await found.session.interaction(from.interactionId, identity.caller);
  if (!read.ok) return read;
  const { toolName } = read.value;
  const input = readApprovalInput(read.value);
  const rule: Rule = { ...fields, id: '', createdAt: 0, createdBy: '' };
  const covers =
    input !== undefined && body.input === undefined && allowsByItself(rule, { toolName, input });
  if (covers) return undefined;
  return reject(
    'invalid_values',
    'The rule would not allow the input of the request it is made from',
    {
      fieldErrors: { from: 'Does not cover this request' },
    },
  );
}

/** The whole input of an approval; undefined where the record has only a view of it, and for other kinds. */
function readApprovalInput({ kind, request, wholeInput }: InteractionView): JsonObject | undefined {
  const { input } = request;
  return kind === 'approval' && wholeInput === undefined && isObject(input) ? input : undefined;
}
