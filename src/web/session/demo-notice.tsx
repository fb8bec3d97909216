import { t, tx } from '../model/language.ts';

/** A scripted agent must not pass for a model (RUN-9). */
export function DemoNotice() {
  return (
    <>
      {tx('{demo} scripted agent, no model connected.', {
        demo: <strong>{t('Demo mode:')}</strong>,
      })}
      <span class="wide-only"> {t('Set ANTHROPIC_API_KEY to talk to one.')}</span>
    </>
  );
}
