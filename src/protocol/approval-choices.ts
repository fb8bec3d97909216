/**
 * The named choices of an approval: read from a request, named by a text, and described by what each one does.
 *
 * 1. A label is text of the agent. What a choice does is said in words of this service, so that a label "No" cannot hide
 *    an approval.
 * 2. A text that says yes names no choice that denies, and one that says no names no choice that approves (TXT-4).
 */
import { isObject, type JsonObject } from './types.ts';
import type { ApprovalChoice } from './schema/kinds/approval.ts';

export type { ApprovalChoice };

const DECISION_WORDS: ReadonlyMap<string, ApprovalChoice['decision']> = new Map([
  ['yes', 'approve'],
  ['approve', 'approve'],
  ['allow', 'approve'],
  ['no', 'deny'],
  ['deny', 'deny'],
  ['reject', 'deny'],
]);

/** What one of the six words decides; undefined for any other text. */
export function decisionOfWord(text: string): ApprovalChoice['decision'] | undefined {
  return DECISION_WORDS.get(text.trim().toLowerCase());
}

/** Undefined for a request without choices. A choice in a form that is not known here is left out. */
export function readChoices({ choices }: JsonObject): readonly ApprovalChoice[] | undefined {
  if (!Array.isArray(choices)) return undefined;
  const read: readonly unknown[] = choices;
  return read.filter(isChoice);
}

function isChoice(choice: unknown): choice is ApprovalChoice {
  if (!isObject(choice)) return false;
  const { id, label, decision } = choice;
  const isDecision = decision === 'approve' || decision === 'deny';
  return typeof id === 'string' && typeof label === 'string' && isDecision;
}

/** The choice that an id or label names; undefined for none, for several, and where the word contradicts it. */
export function findChoice(
  choices: readonly ApprovalChoice[],
  text: string,
): ApprovalChoice | undefined {
  const [named, ...others] = choicesNamed(choices, text);
  const decision = decisionOfWord(text);
  const isContrary = decision !== undefined && decision !== named?.decision;
  return others.length > 0 || isContrary ? undefined : named;
}

/** All that have this id or label, in any case. */
export function choicesNamed(
  choices: readonly ApprovalChoice[],
  text: string,
): readonly ApprovalChoice[] {
  const word = text.trim().toLowerCase();
  return choices.filter(({ id, label }) =>
    [id, label].some((name) => name.trim().toLowerCase() === word),
  );
}

/** A sentence of this service, beside the agent's label. */
export function effectOfChoice(
  { decision, remember, stop }: ApprovalChoice,
  toolName: string,
): string {
  if (decision === 'deny') {
    return stop === true ? 'Denies this call and stops the agent’s turn.' : 'Denies this call.';
  }
  if (remember === 'exact') {
    return 'Approves this call, and the same input for the rest of this session.';
  }
  return remember === 'tool'
    ? `Approves this call, and every ${toolName} call for the rest of this session.`
    : 'Approves this call.';
}
