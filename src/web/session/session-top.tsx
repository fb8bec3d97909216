import type { SessionView } from '../../protocol/types.ts';
import { honestProse } from '../model/escapes.ts';
import { MODES } from '../model/modes.ts';
import { titleOf } from '../model/sessions-list.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

interface Props {
  readonly session: SessionView | null;
  /** What the agent is doing, in two words. */
  readonly status: string;
  readonly onMenu: (() => void) | undefined;
  readonly onDetails: () => void;
}

export function SessionTop({ session, status, onMenu, onDetails }: Props) {
  const mode = session?.permissionMode ?? 'default';
  return (
    <header class="top">
      {onMenu !== undefined && (
        <span class="narrow-only">
          <Button kind="icon" aria-label="Sessions" onClick={onMenu}>
            <Icon name="menu" />
          </Button>
        </span>
      )}
      <div class="what">
        <h1 dir="auto">{session === null ? 'Opening…' : honestProse(titleOf(session))}</h1>
        <p role="status">{status}</p>
      </div>
      {session !== null && (
        <>
          <button
            type="button"
            class={mode === 'bypassPermissions' ? 'mode-chip unguarded' : 'mode-chip'}
            onClick={onDetails}
          >
            <Icon name="shield" />
            <span>
              <span class="unseen">Mode: </span>
              {MODES[mode].short}
            </span>
          </button>
          <Button kind="icon" aria-label="About this session" onClick={onDetails}>
            <Icon name="sliders" />
          </Button>
        </>
      )}
    </header>
  );
}
