import { t } from '../model/language.ts';
import { Button, Icon } from './button.tsx';

/** Opens the list of sessions, where there is no room for it beside the screen. */
export function MenuButton({ onMenu }: { readonly onMenu: () => void }) {
  return (
    <span class="narrow-only in-bottom-bar">
      <Button kind="icon" aria-label={t('Sessions')} onClick={onMenu}>
        <Icon name="menu" />
      </Button>
    </span>
  );
}
