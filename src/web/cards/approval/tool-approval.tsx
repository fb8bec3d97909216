import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApprovalRequest } from '../../../protocol/schema/kinds/approval.ts';
import type { Interaction, JsonObject } from '../../../protocol/types.ts';
import { useLaterParts } from '../../hooks/use-later-parts.ts';
import { editableJson, readApproval, targetOf } from '../../model/cards/approval-input.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { hidesPart } from '../../model/folding.ts';
import { isShell } from '../../model/tool-names.ts';
import { Button } from '../../ui/button.tsx';
import { JsonView, Literal } from '../../ui/literal.tsx';
import type { CardBodyProps } from '../card-props.ts';
import { AgentExplanation } from '../parts/agent-explanation.tsx';
import { ReasonForm } from '../parts/reason-form.tsx';
import { useArmed } from '../use-armed.ts';
import { useDraft, useReason } from '../use-draft.ts';
import { ReviewHint, useSeen } from '../use-seen.tsx';

/** The tool and its target; the full input is in the body. */
export function ApprovalTitle({ record }: { readonly record: Interaction }) {
  const target = targetOf(readApproval(record.request)?.input ?? {});
  return (
    <>
      <code class="tool-name">
        <Literal text={record.toolName} />
      </code>{' '}
      {target !== undefined && (
        <code class="tool-target">
          <Literal text={target} />
        </code>
      )}
    </>
  );
}

/** The body of an approval, open or settled. */
export function ToolApproval(props: CardBodyProps) {
  const { record } = props.answering;
  const request = readApproval(record.request);
  if (request === undefined) return null;
  if (record.status === 'open') return <ApprovalActions {...props} request={request} />;
  return <SettledApproval record={record} input={request.input} words={request.description} />;
}

interface SettledApprovalProps {
  readonly record: Interaction;
  readonly input: JsonObject;
  readonly words: string | undefined;
}

function SettledApproval({ record, input, words }: SettledApprovalProps) {
  const { toolName, reason, updatedInput, outcome } = record;
  const isEdited =
    outcome === 'approved' &&
    updatedInput !== undefined &&
    JSON.stringify(updatedInput) !== JSON.stringify(input);
  return (
    <>
      {reason !== undefined && (
        <p class="given-reason" dir="auto">
          {escapeInvisible(reason)}
        </p>
      )}
      <details class="card-more">
        <summary>{isEdited ? 'Approved with edits' : 'Show the input'}</summary>
        {isEdited && <JsonView value={updatedInput} label={`Input of ${toolName}, as approved`} />}
        {isEdited && <p class="card-hint">Asked for</p>}
        <JsonView value={input} label={`Input of ${toolName}`} />
        {words !== undefined && <AgentExplanation text={words} />}
      </details>
    </>
  );
}

interface ApprovalActionsProps extends CardBodyProps {
  readonly request: ApprovalRequest;
}

type Panel = 'decide' | 'deny' | 'edit' | 'session' | 'every command';

/** The full input, and the actions that approve or deny it. */
function ApprovalActions(props: ApprovalActionsProps) {
  const { answering, clock, position, onSeen, isLive, request } = props;
  const { record, isBusy, failure } = answering;
  const { input, description, allowEdit, offers = ['once'] } = request;
  const reason = useReason(props);
  const later = useLaterParts();
  const [draft, setDraft] = useDraft<{ edited?: string }>(props, ({ edited } = {}) =>
    typeof edited === 'string' ? { edited } : {},
  );
  const [panel, setPanel] = useState<Panel>(reason.wasKept ? 'deny' : 'decide');
  const [isWhole, setWhole] = useState(() => !hidesPart(input));
  const shown = useRef<HTMLDivElement>(null);
  const { isSeen, showRest } = useSeen(shown, record.inputDigest, isWhole);
  useEffect(() => {
    if (isSeen) onSeen?.();
  }, [isSeen]);
  // After a change of input, position or panel, the person must see the input again before a press counts.
  const isArmed = useArmed(clock, `${record.inputDigest} ${String(position)} ${panel} ${isSeen}`);
  const hold = !isSeen ? 'missing' : isArmed ? undefined : 'arming';
  const hintId = useId();
  const hint = !isSeen && <ReviewHint id={hintId} what="input" onShow={showRest} />;
  const held = { hold, onHeld: showRest, ...(!isSeen && { 'aria-describedby': hintId }) } as const;
  const back = () => setPanel('decide');
  const approve = (more: object = {}) => void answering.give({ decision: 'approve', ...more });
  return (
    <>
      {panel === 'edit' && later !== undefined ? (
        <later.InputEditor
          text={draft.edited ?? editableJson(input)}
          onText={(edited) => setDraft({ edited })}
          fieldErrors={failure?.fieldErrors ?? {}}
          hold={hold}
          isBusy={isBusy}
          onApprove={(updatedInput) => approve({ updatedInput })}
          onCancel={back}
        />
      ) : (
        <JsonView
          value={input}
          label={`Input of ${record.toolName}`}
          onWhole={() => setWhole(true)}
          root={shown}
        />
      )}
      {description !== undefined && <AgentExplanation text={description} />}
      {isLive && panel === 'decide' && (
        <div class="card-actions">
          {offers.includes('once') && (
            <Button kind="primary" isBusy={isBusy} {...held} onClick={() => approve()}>
              Approve
            </Button>
          )}
          <Button kind="plain" disabled={isBusy} onClick={() => setPanel('deny')}>
            Deny…
          </Button>
          {offers.includes('session') && (
            <Button
              kind="plain"
              disabled={isBusy || later === undefined}
              onClick={() => setPanel('session')}
            >
              Allow for session…
            </Button>
          )}
          {allowEdit === true && offers.includes('once') && (
            <Button
              kind="quiet"
              disabled={isBusy || !isSeen || later === undefined}
              onClick={() => setPanel('edit')}
            >
              Edit
            </Button>
          )}
          {hint}
        </div>
      )}
      {isLive && panel === 'deny' && (
        <ReasonForm
          action="Deny"
          reason={reason}
          isBusy={isBusy}
          onCancel={back}
          onGive={(words) =>
            void answering.give({
              decision: 'deny',
              ...(words !== undefined && { reason: words }),
            })
          }
        />
      )}
      {isLive && panel === 'session' && later !== undefined && (
        <later.SessionOffer
          toolName={record.toolName}
          held={held}
          hint={hint}
          isBusy={isBusy}
          onApprove={(exact) => {
            if (!exact && isShell(record.toolName)) setPanel('every command');
            else approve({ offer: 'session', ...(exact && { exact }) });
          }}
          onCancel={back}
        />
      )}
      {isLive && panel === 'every command' && later !== undefined && (
        <later.EveryCommand
          toolName={record.toolName}
          held={held}
          hint={hint}
          isBusy={isBusy}
          onApprove={() => approve({ offer: 'session' })}
          onCancel={() => setPanel('session')}
        />
      )}
    </>
  );
}
