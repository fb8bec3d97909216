import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApprovalRequest } from '../../../protocol/schema/kinds/approval.ts';
import { Button } from '../../ui/button.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { editableJson } from '../../model/cards/approval-input.ts';
import { hidesPart } from '../../model/input-lines.ts';
import { isShell } from '../../model/tool-names.ts';
import type { CardBodyProps } from '../card-props.ts';
import { AgentExplanation } from '../parts/agent-explanation.tsx';
import { ReasonForm } from '../parts/reason-form.tsx';
import { ReviewHint } from '../parts/review-hint.tsx';
import { useLaterParts } from '../../hooks/use-later-parts.ts';
import { useArmed } from '../use-armed.ts';
import { useDraft } from '../use-draft.ts';
import { useReason } from '../use-reason.ts';
import { useSeen } from '../use-seen.ts';

interface ApprovalActionsProps extends CardBodyProps {
  readonly request: ApprovalRequest;
}

type Panel = 'decide' | 'deny' | 'edit' | 'session' | 'every command';

/** The full input, and the actions that approve or deny it. */
export function ApprovalActions(props: ApprovalActionsProps) {
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
