import type { ComponentChildren } from 'preact';
import { useState, useEffect, useId, useRef } from 'preact/hooks';
import type { Transport } from '../../../client/transport.ts';
import type { Interaction, Audience } from '../../../protocol/types.ts';
import type { ServerClock } from '../../clock.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { t, tn } from '../../model/language.ts';
import type { Person } from '../../model/person.ts';
import { readAudienceNames } from '../../../protocol/deciding.ts';
import { REASON_CHARS } from '../../../protocol/limits.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { listNames } from '../../model/names.ts';
import { findOwnGroups } from './watch-asked.ts';
import { Button } from '../../ui/button.tsx';
import { useClaim } from './card-team.tsx';

interface TeamActionsProps {
  readonly record: Interaction;
  readonly me: Person;
  readonly session: { readonly id: string };
  readonly transport: Transport;
  readonly clock: ServerClock;
}

/** What a person who is asked can do beside answering, at the foot of the card: withdraw an approval, claim, hand over. */
export function TeamActions({ record, me, session, transport, clock }: TeamActionsProps) {
  const { interactionId, votes = [] } = record;
  const { run, isBusy, failure } = useAsyncAction();
  const [isHandingOver, setHandingOver] = useState(false);
  const isMine = useClaim(record, clock)?.by.subject === me.subject;
  const hasVoted = votes.some(({ by }) => by.subject === me.subject);
  const act = (work: () => Promise<unknown>) => () => void run(work);
  return (
    <div class="team">
      <div class="team-actions">
        {hasVoted && (
          <TextButton
            isBusy={isBusy}
            onClick={act(() => transport.withdraw(session.id, interactionId))}
          >
            {t('Withdraw approval')}
          </TextButton>
        )}
        <TextButton
          isBusy={isBusy}
          onClick={act(() =>
            transport.claim(session.id, interactionId, isMine ? { release: true } : {}),
          )}
        >
          {isMine ? t('Stop looking') : t('I’ll look at it')}
        </TextButton>
        <TextButton
          isBusy={isBusy}
          isOpen={isHandingOver}
          onClick={() => setHandingOver(!isHandingOver)}
        >
          {t('Hand over…')}
        </TextButton>
      </div>
      {isHandingOver && (
        <HandOverForm
          me={me}
          isBusy={isBusy}
          onCancel={() => setHandingOver(false)}
          onSend={async (to) => {
            const isDone = await run(() => transport.handOver(session.id, interactionId, to));
            if (isDone) setHandingOver(false);
          }}
        />
      )}
      <FailureNote text={failure} />
    </div>
  );
}

interface TextButtonProps {
  readonly isBusy: boolean;
  readonly isOpen?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

function TextButton({ isBusy, isOpen, onClick, children }: TextButtonProps) {
  return (
    <button type="button" class="link" disabled={isBusy} aria-expanded={isOpen} onClick={onClick}>
      {children}
    </button>
  );
}

interface HandOverFormProps {
  readonly me: Person;
  readonly isBusy: boolean;
  readonly onSend: (to: { readonly audience: Audience; readonly note?: string }) => unknown;
  readonly onCancel: () => void;
}

/** Names the people and groups who are asked in place of those who are asked now. */
function HandOverForm({ me, isBusy, onSend, onCancel }: HandOverFormProps) {
  const [names, setNames] = useState('');
  const [note, setNote] = useState('');
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const [ownGroups, setOwnGroups] = useState<readonly string[]>([]);
  useEffect(() => {
    // Without them the field suggests people alone, and the server judges every name.
    findOwnGroups(me.token).then(
      (found = []) => setOwnGroups(found),
      () => undefined,
    );
  }, [me.token]);
  const audience = readAudienceNames(names);
  const [confirmed, setConfirmed] = useState<string>();
  const unknown = unknownNames(audience, ownGroups);
  const isAsking = confirmed === names;
  const send = (event: Event) => {
    event.preventDefault();
    const words = note.trim();
    if (audience === undefined) return;
    // The person loses the request by it, and no one else may know that it is there.
    if (!isAsking && unknown.length > 0) return setConfirmed(names);
    onSend({ audience, ...(words !== '' && { note: words }) });
  };
  return (
    <form
      class="team-form"
      onSubmit={send}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label for={`${id}-to`}>{t('To')}</label>
      <input
        id={`${id}-to`}
        ref={first}
        dir="auto"
        value={names}
        aria-describedby={`${id}-how`}
        autocomplete="off"
        list={`${id}-names`}
        onInput={({ currentTarget }) => setNames(currentTarget.value)}
      />
      <datalist id={`${id}-names`}>
        {suggestNames(names, ownGroups).map(({ text, label }) => (
          <option key={text} value={text}>
            {label}
          </option>
        ))}
      </datalist>
      <p id={`${id}-how`}>{t('Names, separated by commas; a group as group:ops')}</p>
      <label for={`${id}-note`}>{t('Note (optional)')}</label>
      <input
        id={`${id}-note`}
        dir="auto"
        value={note}
        maxLength={REASON_CHARS}
        onInput={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <p role="status" class="team-confirm">
        {isAsking &&
          unknown.length > 0 &&
          tn(
            unknown.length,
            '{names} is not known here. The request leaves you all the same.',
            '{names} are not known here. The request leaves you all the same.',
            { names: unknown.join(', ') },
          )}
      </p>
      <div>
        <Button type="submit" isBusy={isBusy} disabled={audience === undefined}>
          {isAsking && unknown.length > 0 ? t('Hand over all the same') : t('Hand over')}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}

/** Known are the people of the directory and the person's own groups; an administrator alone may read all groups. */
function unknownNames(
  { subjects = [], groups = [] }: Audience = {},
  ownGroups: readonly string[],
): readonly string[] {
  const known = new Set(listNames().map(([subject]) => subject));
  return [
    ...subjects.filter((subject) => !known.has(subject)),
    ...groups.filter((name) => !ownGroups.includes(name)).map((name) => `group:${name}`),
  ].map(escapeInvisible);
}

interface NameSuggestion {
  /** The whole text of the field, with the subject in the place of the piece that is being written. */
  readonly text: string;
  readonly label: string;
}

const MAX_SUGGESTIONS = 12;

/** The field would read it as two names, or as a group. */
function isWritable(subject: string): boolean {
  const { subjects = [] } = readAudienceNames(subject) ?? {};
  return subjects.length === 1 && subjects[0] === subject;
}

/**
 * Completes the last name of a list that is separated by commas. A login's subject is often a string of digits, which a
 * person does not know by heart.
 */
function suggestNames(text: string, groups: readonly string[]): NameSuggestion[] {
  const cut = text.lastIndexOf(',') + 1;
  const written = text
    .slice(0, cut)
    .split(',')
    .map((name) => name.trim());
  const piece = text.slice(cut).trim().toLowerCase();
  if (piece === '') return [];
  const before = cut === 0 ? '' : `${text.slice(0, cut)} `;
  const people = listNames().filter(([subject]) => isWritable(subject));
  const all = [
    ...people,
    ...groups.map((name) => [`group:${name}`, t('group {name}', { name })] as const),
  ];
  return all
    .filter(([subject]) => !written.includes(subject))
    .filter(([subject, name]) => `${name}\n${subject}`.toLowerCase().includes(piece))
    .slice(0, MAX_SUGGESTIONS)
    .map(([subject, name]) => ({
      text: `${before}${subject}`,
      label: `${before}${escapeInvisible(name)}`,
    }));
}
