import type { ComponentChildren } from 'preact';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import helpStyle from '../styles/help.css?inline';
import { Icon, type IconName } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { keyParts, type HelpKey } from './key-list.ts';

adoptStyle(helpStyle);

/** As they are printed on a keyboard. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
};

/** The keys of every screen, and what its marks mean. */
export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet title={t('Help')} side="right" onClose={onClose}>
      {keyParts().map(({ id, title, rows }) => (
        <HelpPart key={id} id={id} title={title}>
          {rows.map(({ words, ...row }) => (
            <Keys key={words} {...row}>
              {words}
            </Keys>
          ))}
        </HelpPart>
      ))}
      <HelpPart id="help-marks" title={t('What the marks mean')}>
        <Mark tone="amber" icon="hand" word={t('Waiting for you')}>
          {t('Nothing happens until a person answers.')}
        </Mark>
        <Mark tone="emerald" icon="check" word={t('Approved or answered by you')}>
          {t('Done, and the agent has it or gets it when it comes back.')}
        </Mark>
        <Mark tone="red" icon="cross" word={t('Denied by you, or failed')}>
          {t('The agent is told, with your reason if you gave one.')}
        </Mark>
        <Mark tone="grey" icon="dots" word={t('Ended without you')}>
          {t('Decided by another person or a rule, cancelled, or expired.')}
        </Mark>
        <Mark tone="escape" sample="\u202E" word={t('A hidden character')}>
          {t('It cannot be seen or turns the text around, so it is written out.')}
        </Mark>
      </HelpPart>
    </Sheet>
  );
}

interface HelpPartProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function HelpPart({ id, title, children }: HelpPartProps) {
  return (
    <section class="panel" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <dl class="help-list">{children}</dl>
    </section>
  );
}

interface KeysProps extends Pick<HelpKey, 'keys' | 'isRange'> {
  readonly children: ComponentChildren;
}

function Keys({ keys, isRange, children }: KeysProps) {
  return (
    <div class="help-row">
      <dt dir="ltr">
        {keys.map((key, at) => (
          <>
            {at > 0 && isRange === true && ' – '}
            <kbd>{KEY_NAMES[key] ?? key}</kbd>
          </>
        ))}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

interface MarkProps {
  readonly tone: 'amber' | 'emerald' | 'red' | 'grey' | 'escape';
  readonly icon?: IconName;
  readonly sample?: string;
  readonly word: string;
  readonly children: ComponentChildren;
}

function Mark({ tone, icon, sample, word, children }: MarkProps) {
  return (
    <div class="help-row">
      <dt>
        <span class={tone === 'escape' ? 'escape' : `help-mark ${tone}`} aria-hidden="true">
          {icon === undefined ? sample : <Icon name={icon} />}
        </span>
      </dt>
      <dd>
        <strong>{word}</strong>
        <span class="about">{children}</span>
      </dd>
    </div>
  );
}
