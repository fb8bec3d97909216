import type { CommandLine } from '../../../display/display.ts';
import { t } from '../../model/language.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Literal } from '../../ui/literal.tsx';
import { CodeLines } from './code-lines.tsx';

interface CommandViewProps {
  readonly part: CommandLine;
  readonly isWhole: boolean;
}

export function CommandView({ part: { text, runner, cwd }, isWhole }: CommandViewProps) {
  return (
    <section class="command-part">
      <div class="command">
        <span class="prompt" aria-hidden="true">
          $
        </span>
        <CodeLines text={text} language="shell" hasNumbers={false} isWhole={isWhole} />
        <CopyButton kind="quiet" text={text} label={t('Copy the command')} />
      </div>
      {(cwd !== undefined || runner !== undefined) && (
        <dl class="input-facts">
          {cwd !== undefined && (
            <div>
              <dt>{t('in')}</dt>
              <dd>
                <code>
                  <Literal text={cwd} />
                </code>
              </dd>
            </div>
          )}
          {runner !== undefined && (
            <div>
              <dt>{t('run by')}</dt>
              <dd>
                <code>
                  <Literal text={runner} />
                </code>
              </dd>
            </div>
          )}
        </dl>
      )}
    </section>
  );
}
