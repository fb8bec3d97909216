/** The text that a person wrote on a card and did not send; it outlives the request. */
import type { Interaction, JsonObject } from '../../../protocol/types.ts';
import { feedbackOf, readComments } from './plan-comments.ts';
import { readForm } from './form-request.ts';
import { readQuestionDraft } from './question-draft.ts';
import { readQuestions } from './question-request.ts';

/** Empty if nothing was written, or if the record already contains it. */
export function unsentTextOf(
  record: Interaction,
  draft: JsonObject | undefined,
  reason: string,
): string {
  const { reason: given, answers, values } = record;
  const recorded = JSON.stringify([given, answers, values]);
  const isRecorded = (words: string) => recorded.includes(JSON.stringify(words).slice(1, -1));
  const written = [...writtenTexts(record, draft ?? {}), reason.trim()];
  return written.filter((words) => words !== '' && !isRecorded(words)).join('\n\n');
}

function writtenTexts({ kind, request }: Interaction, draft: JsonObject): readonly string[] {
  switch (kind) {
    case 'approval':
      return trimmedText(draft['edited']);
    case 'plan_review':
      return [feedbackOf(readComments(draft['comments']), trimmedText(draft['feedback']).join(''))];
    case 'question': {
      const choices = readQuestionDraft(draft);
      return (readQuestions(request) ?? []).flatMap((_asked, index) =>
        trimmedText(choices[index]?.other),
      );
    }
    case 'form':
      return Object.entries(readForm(request)?.schema.properties ?? {}).flatMap(([name, field]) =>
        isTextField(field) && draft[name] !== field.default ? trimmedText(draft[name]) : [],
      );
    default:
      return [];
  }
}

function isTextField(field: {
  readonly type: string;
  readonly enum?: unknown;
  readonly oneOf?: unknown;
}) {
  return field.type === 'string' && field.enum === undefined && field.oneOf === undefined;
}

function trimmedText(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value.trim()] : [];
}
