/**
 * Whom a text will reach, said before it is sent (UI-7).
 *
 * It follows the rules by which the server routes a message (TXT-1 to TXT-6); the server decides. A bug
 * here looks like an answer that somebody meant for the agent.
 */
import { isObject } from '../../protocol/guards.ts';
import type { Replica } from '../../client/state/replica.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';

export type Addressee =
  | { readonly to: 'agent' }
  /** It waits: for the agent to be done, or for an approval. */
  | { readonly to: 'queue'; readonly behind: 'turn' | 'approval' }
  | { readonly to: 'interaction'; readonly interaction: Interaction }
  /** The person has to say which. */
  | { readonly to: 'choose'; readonly candidates: readonly Interaction[] }
  /** Of a kind that this page does not know: the server may take the text as its answer. */
  | { readonly to: 'unsure'; readonly interaction: Interaction }
  | { readonly to: 'command'; readonly command: '/clear' | '/cancel' };

interface KindText {
  takesText(request: JsonObject): boolean;
  /** What an answer in words is for; undefined: the name of the tool says it best. */
  promptOf(interaction: Interaction): string | undefined;
}

/** The kinds that this page knows. A map: any name may come, that of a method too. */
const TEXT_OF_KINDS: ReadonlyMap<string, KindText> = new Map(
  Object.entries<KindText>({
    approval: { takesText: () => false, promptOf: () => undefined },
    question: { takesText: () => true, promptOf: nextQuestion },
    plan_review: { takesText: () => true, promptOf: () => 'The plan' },
    form: {
      takesText: isOneText,
      promptOf: ({ request }) => textField(request, 'title') ?? 'The form',
    },
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
  // An agent elsewhere hears of it at once.
  const isBusy = (session?.agent ?? null) !== null && (session?.turn ?? null) !== null;
  return isBusy ? { to: 'queue', behind: 'turn' } : { to: 'agent' };
}

/** What an answer in words is for, in few words. */
export function promptOfInteraction(interaction: Interaction): string {
  return TEXT_OF_KINDS.get(interaction.kind)?.promptOf(interaction) ?? interaction.toolName;
}

/** A text answers one of them, and only its card says which. */
export function hasSeveralQuestions({ request }: Interaction): boolean {
  const questions = request['questions'];
  return Array.isArray(questions) && questions.length > 1;
}

/** In the field itself, where whoever writes looks. */
export function placeholderOf(addressee: Addressee): string {
  if (addressee.to === 'choose') return 'Write an answer';
  if (addressee.to !== 'interaction') return 'Write a message';
  return addressee.interaction.kind === 'plan_review' ? 'Write feedback' : 'Write your answer';
}

function nextQuestion({ request, current = 0 }: Interaction): string | undefined {
  const questions = request['questions'];
  const question: unknown = Array.isArray(questions) ? questions[current] : undefined;
  return isObject(question) ? textField(question, 'question') : undefined;
}

/** A form whose one field takes any words. */
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
