/**
 * Where a text will go, shown before it is sent (UI-7).
 *
 * This follows the rules by which the server routes a message (TXT-1 to TXT-6); the server decides. A bug here looks
 * like an answer that was meant for the agent.
 */
import { isObject, type Interaction, type JsonObject } from '../../protocol/types.ts';
import type { Replica } from '../../client/state/replica.ts';
import { t } from './language.ts';

export type Addressee =
  | { readonly to: 'agent' }
  /** Queued until the turn ends, or until an approval is decided. */
  | { readonly to: 'queue'; readonly behind: 'turn' | 'approval' }
  | { readonly to: 'interaction'; readonly interaction: Interaction }
  /** The person has to select one. */
  | { readonly to: 'choose'; readonly candidates: readonly Interaction[] }
  /** An unknown kind: the server may take the text as the answer. */
  | { readonly to: 'unsure'; readonly interaction: Interaction }
  | { readonly to: 'command'; readonly command: '/clear' | '/cancel' };

interface KindText {
  takesText(request: JsonObject): boolean;
  /** The prompt for a text answer; undefined: use the tool name. */
  promptOf(interaction: Interaction): string | undefined;
}

/** The known kinds. A map, because a kind may have any name, such as that of an object method. */
const TEXT_OF_KINDS: ReadonlyMap<string, KindText> = new Map(
  Object.entries<KindText>({
    approval: { takesText: () => false, promptOf: () => undefined },
    question: { takesText: () => true, promptOf: nextQuestion },
    plan_review: { takesText: () => true, promptOf: () => t('The plan') },
    form: {
      takesText: isOneText,
      promptOf: ({ request }) => textField(request, 'title') ?? t('The form'),
    },
    link: { takesText: () => false, promptOf: ({ request }) => textField(request, 'title') },
  }),
);

export function addresseeOf(
  { open, session }: Pick<Replica, 'open' | 'session'>,
  text: string,
  canAnswer: boolean,
): Addressee {
  const command = text.trim();
  if (command === '/clear' || command === '/cancel') return { to: 'command', command };
  const takers = open.filter(({ kind, request }) => TEXT_OF_KINDS.get(kind)?.takesText(request));
  const [only, ...others] = takers;
  if (only !== undefined && canAnswer) {
    return others.length > 0
      ? { to: 'choose', candidates: takers }
      : { to: 'interaction', interaction: only };
  }
  const unknown = open.find(({ kind }) => !TEXT_OF_KINDS.has(kind));
  if (unknown !== undefined && canAnswer) return { to: 'unsure', interaction: unknown };
  if (open.length > 0 && only === undefined) return { to: 'queue', behind: 'approval' };
  // An external agent receives the message at once.
  const isBusy = (session?.agent ?? null) !== null && (session?.turn ?? null) !== null;
  return isBusy ? { to: 'queue', behind: 'turn' } : { to: 'agent' };
}

/** What an answer in words is for, in few words. */
export function promptOfInteraction(interaction: Interaction): string {
  return TEXT_OF_KINDS.get(interaction.kind)?.promptOf(interaction) ?? interaction.toolName;
}

/** A text answers one of several questions, and only the card says which. */
export function hasSeveralQuestions({ request }: Interaction): boolean {
  const questions = request['questions'];
  return Array.isArray(questions) && questions.length > 1;
}

/** The placeholder of the field. */
export function placeholderOf(addressee: Addressee): string {
  if (addressee.to === 'choose') return t('Write an answer');
  if (addressee.to !== 'interaction') return t('Write a message');
  return addressee.interaction.kind === 'plan_review'
    ? t('Write feedback')
    : t('Write your answer');
}

function nextQuestion({ request, current = 0 }: Interaction): string | undefined {
  const questions = request['questions'];
  const question: unknown = Array.isArray(questions) ? questions[current] : undefined;
  return isObject(question) ? textField(question, 'question') : undefined;
}

/** A form with a single field of free text. */
function isOneText(request: JsonObject): boolean {
  const properties = isObject(request['schema']) ? request['schema']['properties'] : undefined;
  const [field, ...others] = isObject(properties) ? Object.values(properties) : [];
  if (!isObject(field) || others.length > 0) return false;
  return field['type'] === 'string' && field['enum'] === undefined && field['oneOf'] === undefined;
}

function textField(from: JsonObject, name: string): string | undefined {
  const text = from[name];
  return typeof text === 'string' ? text : undefined;
}
