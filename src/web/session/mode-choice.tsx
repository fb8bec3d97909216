import type { PermissionMode } from '../../protocol/types.ts';
import { useAsyncAction } from '../hooks/use-async-action.ts';
import { MODE_ORDER, MODE_WORDS } from '../model/modes.ts';
import { FailureNote } from '../ui/failure-note.tsx';

interface ModeChoiceProps {
  readonly mode: PermissionMode;
  readonly isAdmin: boolean;
  /** Undefined without the scope `answer`. */
  readonly onChange: ((mode: PermissionMode) => Promise<unknown>) | undefined;
}

/** The permission modes, each with a sentence. */
export function ModeChoice({ mode, isAdmin, onChange }: ModeChoiceProps) {
  const { isBusy, failure, run } = useAsyncAction();
  return (
    <fieldset class="modes" disabled={onChange === undefined || isBusy}>
      <legend>Permissions</legend>
      {MODE_ORDER.map((name) => (
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
            <strong>{MODE_WORDS[name].name}</strong>
            <span class="about">{MODE_WORDS[name].about}</span>
          </span>
        </label>
      ))}
      <FailureNote text={failure} />
    </fieldset>
  );
}
