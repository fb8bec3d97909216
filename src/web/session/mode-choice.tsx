import type { PermissionMode } from '../../protocol/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { MODE_NAMES, MODES } from '../model/modes.ts';
import { FailureNote } from '../ui/failure-note.tsx';

interface Props {
  readonly mode: PermissionMode;
  readonly isAdmin: boolean;
  /** Undefined for those who may only look. */
  readonly onChange: ((mode: PermissionMode) => Promise<unknown>) | undefined;
}

/** What the agent may do without asking, with a sentence for each choice. */
export function ModeChoice({ mode, isAdmin, onChange }: Props) {
  const { isBusy, failure, run } = useAction();
  return (
    <fieldset class="modes" disabled={onChange === undefined || isBusy}>
      <legend>What the agent may do</legend>
      {MODE_NAMES.map((name) => (
        <label key={name} class="mode">
          <input
            type="radio"
            name="mode"
            value={name}
            checked={name === mode}
            disabled={name === 'bypassPermissions' && !isAdmin}
            onChange={() => void run(async () => onChange?.(name))}
          />
          <span>
            <strong>{MODES[name].name}</strong>
            <span class="about">{MODES[name].about}</span>
          </span>
        </label>
      ))}
      <FailureNote text={failure} />
    </fieldset>
  );
}
