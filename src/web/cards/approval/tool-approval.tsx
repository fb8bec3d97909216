import { useState } from 'preact/hooks';
import type { ApprovalRequest } from '../../../protocol/schema/kinds/approval.ts';
import type { Interaction } from '../../../protocol/types.ts';
import { useLaterParts } from '../../hooks/use-later-parts.ts';
import { readApproval, targetOf } from '../../model/cards/approval-input.ts';
import { wasEdited } from '../../model/cards/was-edited.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { Literal } from '../../ui/literal.tsx';
import { withKey } from '../card-keys.ts';
import type { CardBodyProps } from '../card-props.ts';
import { AgentExplanation } from '../parts/agent-explanation.tsx';
import { useDraft, useReason } from '../use-draft.ts';
import type { SessionPanel } from './session-offer.tsx';
import { useInputSeen } from './use-input-seen.tsx';

/** The tool and its target, as approved; what was asked for is struck through. The full input is in the body. */
export function ApprovalTitle({ record }: { readonly record: Interaction }) {
  const asked = targetOf(readApproval(record.request)?.input ?? {});
  const target = wasEdited(record) ? targetOf(record.updatedInput ?? {}) : asked;
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
      {asked !== undefined && asked !== target && (
        <del class="tool-target">
          <span class="unseen">{` ${t('instead of')} `}</span>
          <Literal text={asked} />
        </del>
      )}
    </>
  );
}

/** The body of an approval, open or settled. */
export function ToolApproval(props: CardBodyProps) {
  const { record } = props.answering;
  const request = readApproval(record.request);
  const later = useLaterParts(record.status === 'open' ? 'never' : 'now');
  if (request === undefined) return null;
  if (record.status === 'open') return <ApprovalActions {...props} request={request} />;
  return (
    later && (
      <later.SettledApproval
        record={record}
        input={request.input}
        words={request.description}
        isInRow={props.isInRow}
      />
    )
  );
}

interface ApprovalActionsProps extends CardBodyProps {
  readonly request: ApprovalRequest;
}

type Panel = 'decide' | 'deny' | 'edit' | SessionPanel;

/** The full input, and the actions that approve or deny it. */
function ApprovalActions(props: ApprovalActionsProps) {
  const { answering, isLive, isInInbox, request } = props;
  const { record, isBusy, failure } = answering;
  const { input, description, allowEdit, offers = ['once'] } = request;
  const reason = useReason(props);
  const later = useLaterParts();
  const [draft, setDraft] = useDraft<{ edited?: string }>(props, ({ edited } = {}) =>
    typeof edited === 'string' ? { edited } : {},
  );
  const [panel, setPanel] = useState<Panel>(reason.wasKept ? 'deny' : 'decide');
  const [stops, setStops] = useState(false);
  const comments = isLive ? { reason, onAdded: () => setPanel('deny') } : undefined;
  const { isSeen, hold, held, hint, view } = useInputSeen(props, input, panel, comments);
  const back = () => setPanel('decide');
  const approve = (more: object = {}) => void answering.give({ decision: 'approve', ...more });
  return (
    <>
      {panel === 'edit' && later !== undefined ? (
        <later.InputEditor
          original={input}
          schema={request.inputSchema}
          draft={draft.edited}
          onText={(edited) => setDraft({ edited })}
          fieldErrors={failure?.fieldErrors ?? {}}
          hold={hold}
          isBusy={isBusy}
          approvals={[{ give: (updatedInput) => approve({ updatedInput }) }]}
          onCancel={back}
        />
      ) : (
        view
      )}
      {description !== undefined && <AgentExplanation text={description} />}
      {isLive && panel === 'decide' && (
        <div class="card-actions stays">
          {offers.includes('once') && (
            <Button
              kind="primary"
              {...withKey('a', isInInbox)}
              isBusy={isBusy}
              {...held}
              onClick={() => approve()}
            >
              {t('Approve')}
            </Button>
          )}
          <Button
            kind="plain"
            {...withKey('d', isInInbox)}
            disabled={isBusy || later === undefined}
            onClick={() => setPanel('deny')}
          >
            {t('Deny…')}
          </Button>
          {offers.includes('session') && (
            <Button
              kind="plain"
              disabled={isBusy || later === undefined}
              onClick={() => setPanel('session')}
            >
              {t('Allow for session…')}
            </Button>
          )}
          {allowEdit === true && offers.includes('once') && (
            <Button
              kind="quiet"
              {...withKey('e', isInInbox)}
              disabled={isBusy || !isSeen || later === undefined}
              onClick={() => setPanel('edit')}
            >
              {t('Edit')}
            </Button>
          )}
          {hint}
        </div>
      )}
      {isLive && panel === 'deny' && later !== undefined && (
        <later.ReasonForm
          action={t('Deny')}
          reason={reason}
          isBusy={isBusy}
          extra={<later.StopTurn isOn={stops} isBusy={isBusy} onChange={setStops} />}
          onCancel={back}
          onGive={(words) =>
            void answering.give({
              decision: 'deny',
              ...(words !== undefined && { reason: words }),
              ...(stops && { stop: true }),
            })
          }
        />
      )}
      {isLive && (panel === 'session' || panel === 'every command') && later !== undefined && (
        <later.SessionOffer
          {...{ toolName: record.toolName, input, held, hint, isBusy, panel, setPanel }}
          clock={props.clock}
          onApprove={(rule) => approve({ offer: 'session', ...rule })}
        />
      )}
    </>
  );
}
