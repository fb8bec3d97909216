/** The result of a settled interaction, on stdout: plain lines that a script can use, or one JSON object. */
import { answersByText } from '../client/agent/outcomes.ts';
import { isObject, isText, type Interaction, type JsonObject } from '../protocol/types.ts';
import { describeAttachedFile } from '../protocol/describe-attached-files.ts';
import type { CliCall } from './cli-command.ts';
import { EXIT, exitCodeOf, type ExitCode } from './exit-code.ts';
import { readShownQuestions } from './show-interaction.ts';

export function printSettled(
  { out, isJson }: CliCall,
  sessionId: string,
  interaction: Interaction,
): ExitCode {
  const { outcome, settledBy: by, interactionId } = interaction;
  if (isJson) {
    const { attachments } = interaction;
    const about = { ...describeOutcome(interaction), attachments };
    out.json({ outcome, ...about, by, sessionId, interactionId });
    return exitCodeOf(outcome);
  }
  for (const line of resultLines(interaction)) out.print({ text: line, isBlock: true });
  for (const file of interaction.attachments ?? []) {
    const { attachmentId } = file;
    const text = `attached: ${describeAttachedFile(file)} ${attachmentId}`;
    out.print({ text, isBlock: true });
  }
  return exitCodeOf(outcome);
}

/** A rule or the mode of the session decided, without a person. */
export function printDecided({ out, isJson }: CliCall, decision: JsonObject): ExitCode {
  const { behavior, message, updatedInput, by } = decision;
  const isApproved = behavior === 'allow';
  const outcome = isApproved ? 'approved' : 'denied';
  const reason = isText(message) ? message : undefined;
  if (isJson) out.json({ outcome, updatedInput, message: reason, by });
  else out.print(isApproved || reason === undefined ? outcome : `denied: ${reason}`);
  return isApproved ? EXIT.ok : EXIT.denied;
}

function describeOutcome(interaction: Interaction): object {
  const { kind, outcome, answers, values, updatedInput, decision, reply, reason } = interaction;
  const message = reply?.message;
  const isGood = exitCodeOf(outcome) === EXIT.ok;
  if (!isGood) {
    const { replacedBy } = interaction;
    const { choice, stop } = decision ?? {};
    return { reason, message, choice, stop, replacedBy };
  }
  switch (kind) {
    case 'question': {
      const byText = answersByText(readShownQuestions(interaction), answers ?? {});
      return { answers, answersByText: byText, message, isDefault: interaction.defaulted === true };
    }
    case 'form':
      return { values, isDefault: interaction.defaulted === true };
    case 'link':
      return {};
    case 'plan_review':
      return { permissionMode: modeOf(decision), clearContext: decision?.clearContext === true };
    default:
      return { updatedInput, offer: decision?.offer, choice: decision?.choice, reason };
  }
}

function resultLines(interaction: Interaction): string[] {
  const { kind, outcome, answers = {}, values, updatedInput, decision } = interaction;
  if (exitCodeOf(outcome) !== EXIT.ok) return [explainOutcome(interaction)];
  switch (kind) {
    case 'question': {
      const questions = readShownQuestions(interaction);
      return questions.map(({ header, question }, index) => {
        const answer = [answers[String(index)] ?? ''].flat().join(', ');
        return questions.length === 1 ? answer : `${header || question}: ${answer}`;
      });
    }
    case 'link':
      return ['done'];
    case 'form':
      return Object.entries(values ?? {}).map(
        ([name, value]) => `${name}: ${describeValue(value)}`,
      );
    case 'plan_review':
      return [
        `approved: ${modeOf(decision)}${decision?.clearContext === true ? ', clear context' : ''}`,
      ];
    default: {
      const choice = isText(decision?.choice) ? `: ${decision.choice}` : '';
      return interaction.authorizedDigest === interaction.inputDigest || updatedInput === undefined
        ? [`approved${choice}`]
        : [`approved with changes${choice}`, JSON.stringify(updatedInput)];
    }
  }
}

/** `denied: the words of the person`. */
export function explainOutcome({ outcome, reason, reply }: Interaction): string {
  const message = reply?.behavior === 'deny' ? reply.message : undefined;
  const why = reason ?? (outcome === 'denied' || outcome === 'expired' ? message : undefined);
  return why === undefined ? `${outcome}` : `${outcome}: ${why}`;
}

function modeOf(decision: JsonObject | undefined): string {
  return decision?.targetMode === 'edit' ? 'acceptEdits' : 'default';
}

function describeValue(value: unknown): string {
  if (isText(value)) return value;
  if (Array.isArray(value) && value.every(isText)) return value.join(', ');
  return isObject(value) ? JSON.stringify(value) : String(value);
}
