import type { ComponentChildren } from 'preact';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import noticeStyle from '../styles/notice.css?inline';
import { Brand } from '../ui/brand.tsx';
import { Button, Icon } from '../ui/button.tsx';

adoptStyle(noticeStyle);

interface NoticeScreenProps {
  readonly title: string;
  readonly onMenu?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** A whole screen with a single message. */
export function NoticeScreen({ title, onMenu, children }: NoticeScreenProps) {
  return (
    <main class="notice-screen" tabIndex={-1}>
      {onMenu !== undefined && (
        <span class="narrow-only corner in-bottom-bar">
          <Button kind="icon" aria-label={t('Sessions')} onClick={onMenu}>
            <Icon name="menu" />
          </Button>
        </span>
      )}
      <div class="sheet-like">
        <Brand />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
