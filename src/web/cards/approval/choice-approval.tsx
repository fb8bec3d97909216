/**
 * An approval that offers choices of its agent: a list in the place of Approve and Deny, in which each says in words of
 * this page what it does.
 */
import { useState } from 'preact/hooks';
import { type ApprovalChoice, readChoices } from '../../../protocol/approval-choices.ts';
import { visibleText } from '../../../protocol/escapes.ts';
import { readApproval } from '../../model/cards/approval-input.ts';
import { choiceEffect } from '../../model/cards/choice-effect.ts';
import { t } from '../../model/language.ts';
import { isShell } from '../../../protocol/shell-tools.ts';
import { Button } from '../../ui/button.tsx';
import { Literal } from '../../ui/literal.tsx';
import { withKey } from '../card-keys.ts';
import type { CardBodyProps } from '../card-props.ts';
import { AgentExplanation } from '../parts/agent-explanation.tsx';
import { ReasonForm } from '../parts/reason-form.tsx';
import { useDraft, useReason } from '../use-draft.ts';
import { InputEditor } from './input-editor.tsx';
import { EveryCommand } from './session-offer.tsx';
import { SettledApproval } from './settled-approval.tsx';
import { StopTurn } from './stop-turn.tsx';
import { useInputSeen } from './use-input-seen.tsx';

export function ChoiceApproval(props: CardBodyProps) {
  const { record } = props.answering;
  const choices = readChoices(record.request) ?? [];
  if (record.status === 'open') return <OpenChoices {...props} choices={choices} />;
  const chosen = choices.find(({ id }) => id === record.decision?.['choice']);
  const request = readApproval(record.request);
  return (
    <>
      {chosen !== undefined && (
        <p class="card-hint">
          <Label choice={chosen} />
        </p>
      )}
      <SettledApproval
        record={record}
        input={request?.input ?? record.request}
        words={request?.description}
        isInRow={props.isInRow}
      />
    </>
  );
}

interface OpenChoicesProps extends CardBodyProps {
  readonly choices: readonly ApprovalChoice[];
}

/** What is on the screen: the list, a reason for a denial, an edit, or the warning before a rule for a shell. */
type ChoicePanel =
  | { readonly name: 'choose' | 'edit' }
  | { readonly name: 'deny'; readonly choice: ApprovalChoice | undefined }
  | { readonly name: 'every command'; readonly choice: ApprovalChoice };

interface ChoiceDraft {
  readonly edited?: string;
  /** The denial whose reason is being written. */
  readonly denial?: string;
}

function OpenChoices(props: OpenChoicesProps) {
  const { answering, isLive, isInInbox, choices } = props;
  const { record, isBusy, failure } = answering;
  const { input = {}, description, allowEdit, inputSchema } = readApproval(record.request) ?? {};
  const reason = useReason(props);
  const [draft, setDraft] = useDraft<ChoiceDraft>(props, ({ edited, denial } = {}) => ({
    ...(typeof edited === 'string' && { edited }),
    ...(typeof denial === 'string' && { denial }),
  }));
  const [panel, setPanel] = useState<ChoicePanel>(() =>
    reason.wasKept
      ? { name: 'deny', choice: choices.find((one) => isDenial(one) && one.id === draft.denial) }
      : { name: 'choose' },
  );
  const [stops, setStops] = useState(false);
  const { isSeen, hold, held, hint, view } = useInputSeen(props, input, panel.name);
  const back = () => setPanel({ name: 'choose' });
  const give = (choice: ApprovalChoice, more: object = {}) =>
    void answering.give({ choice: choice.id, ...more });
  const openDenial = (choice: ApprovalChoice | undefined) => {
    setDraft({ ...draft, denial: choice?.id ?? '' });
    setStops(false);
    setPanel({ name: 'deny', choice });
  };
  const choose = (choice: ApprovalChoice) => {
    if (isDenial(choice)) openDenial(choice);
    else if (choice.remember === 'tool' && isShell(record.toolName)) {
      setPanel({ name: 'every command', choice });
    } else give(choice);
  };
  // An edit and a rule for it are two decisions: the rule would be for an input that no card has shown.
  const editing = choices.filter((one) => !isDenial(one) && one.remember === undefined);
  return (
    <>
      {panel.name === 'edit' ? (
        <InputEditor
          original={input}
          schema={inputSchema}
          draft={draft.edited}
          onText={(edited) => setDraft({ ...draft, edited })}
          fieldErrors={failure?.fieldErrors ?? {}}
          hold={hold}
          isBusy={isBusy}
          approvals={editing.map((choice) => ({
            key: choice.id,
            label: <Label choice={choice} />,
            give: (updatedInput) => give(choice, { updatedInput }),
          }))}
          onCancel={back}
        />
      ) : (
        view
      )}
      {description !== undefined && <AgentExplanation text={description} />}
      {panel.name === 'choose' && (
        <ul class="choice-list">
          {choices.map((choice) => (
            <li key={choice.id}>
              {isLive ? (
                <Button
                  kind={buttonKind(choice)}
                  {...(isDenial(choice) ? { disabled: isBusy } : { isBusy, ...held })}
                  onClick={() => choose(choice)}
                >
                  <ChoiceWords choice={choice} toolName={record.toolName} />
                </Button>
              ) : (
                <ChoiceWords choice={choice} toolName={record.toolName} />
              )}
            </li>
          ))}
        </ul>
      )}
      {isLive && panel.name === 'choose' && (
        <div class="card-actions">
          {!choices.some(isDenial) && (
            <Button
              kind="plain"
              {...withKey('d', isInInbox)}
              disabled={isBusy}
              onClick={() => openDenial(undefined)}
            >
              {t('Deny…')}
            </Button>
          )}
          {allowEdit === true && editing.length > 0 && (
            <Button
              kind="quiet"
              {...withKey('e', isInInbox)}
              disabled={isBusy || !isSeen}
              onClick={() => setPanel({ name: 'edit' })}
            >
              {t('Edit')}
            </Button>
          )}
          {hint}
        </div>
      )}
      {isLive && panel.name === 'deny' && (
        <>
          {panel.choice !== undefined && (
            <div class="chosen">
              <ChoiceWords choice={panel.choice} toolName={record.toolName} />
            </div>
          )}
          <ReasonForm
            action={t('Deny')}
            reason={reason}
            isBusy={isBusy}
            extra={
              panel.choice?.stop !== true && (
                <StopTurn isOn={stops} isBusy={isBusy} onChange={setStops} />
              )
            }
            onCancel={back}
            onGive={(words) =>
              void answering.give({
                ...(panel.choice === undefined
                  ? { decision: 'deny' }
                  : { choice: panel.choice.id }),
                ...(words !== undefined && { reason: words }),
                ...(stops && { stop: true }),
              })
            }
          />
        </>
      )}
      {isLive && panel.name === 'every command' && (
        <EveryCommand
          toolName={record.toolName}
          held={held}
          hint={hint}
          isBusy={isBusy}
          onApprove={() => give(panel.choice, { everyCommand: true })}
          onCancel={back}
        />
      )}
    </>
  );
}

function isDenial({ decision }: ApprovalChoice): boolean {
  return decision === 'deny';
}

/** A choice that denies never looks like one that approves. */
function buttonKind(choice: ApprovalChoice): 'primary' | 'danger' | 'plain' {
  if (choice.tone === 'danger') return 'danger';
  return choice.tone === 'primary' && !isDenial(choice) ? 'primary' : 'plain';
}

function Label({ choice }: { readonly choice: ApprovalChoice }) {
  return (
    <bdi>
      <Literal text={choice.label} />
    </bdi>
  );
}

interface ChoiceWordsProps {
  readonly choice: ApprovalChoice;
  readonly toolName: string;
}

function ChoiceWords({ choice, toolName }: ChoiceWordsProps) {
  return (
    <span class="choice-words">
      <strong>
        <Label choice={choice} />
      </strong>{' '}
      <span>{choiceEffect(choice, visibleText(toolName))}</span>
    </span>
  );
}
