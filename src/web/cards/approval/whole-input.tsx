/** A large input on its card, as a file and in pages. */
import { useState } from 'preact/hooks';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { type InputPage, inputPages } from '../../model/cards/input-pages.ts';
import { byteCount } from '../../model/folding.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Literal } from '../../ui/literal.tsx';
import type { CardBodyProps } from '../card-props.ts';

export function WholeInput({ answering: { record }, session, transport }: CardBodyProps) {
  const { isBusy, failure, run } = useAsyncAction();
  const [pages, setPages] = useState<readonly InputPage[]>();
  const fetchText = () => transport.wholeInput(session.id, record.interactionId);
  const save = () =>
    run(async () => {
      const text = new Blob([await fetchText()], { type: 'application/json' });
      saveFile(text, `${record.interactionId.replaceAll(/[^\w.-]/g, '-')}.json`);
    });
  const open = () =>
    run(async () => setPages(inputPages(await fetchText(), record.wholeInput ?? {})));
  return (
    <>
      <div class="card-actions">
        <Button isBusy={isBusy} onClick={() => void save()}>
          {t('Download all of it ({size})', { size: byteCount(record.wholeInput?.bytes ?? 0) })}
        </Button>
        {pages === undefined ? (
          <Button isBusy={isBusy} onClick={() => void open()}>
            {t('Read all of it here')}
          </Button>
        ) : (
          <Button onClick={() => setPages(undefined)}>{t('Close')}</Button>
        )}
        <FailureNote text={failure} />
      </div>
      {pages !== undefined && (
        <Pages pages={pages} label={t('All of the input of {tool}', { tool: record.toolName })} />
      )}
    </>
  );
}

interface PagesProps {
  readonly pages: readonly InputPage[];
  readonly label: string;
}

function Pages({ pages, label }: PagesProps) {
  const [at, setAt] = useState(0);
  return (
    <div class="literal" role="group" aria-label={label}>
      <dl class="pairs">
        {pages[at]?.map(({ name, text, isContinued }) => (
          <div class="pair" key={name}>
            <dt>
              <Literal text={name} />
              {isContinued && ` ${t('(continued)')}`}
            </dt>
            <dd>
              <pre>
                <Literal text={text} />
              </pre>
            </dd>
          </div>
        ))}
      </dl>
      <div class="card-actions">
        <Button disabled={at === 0} onClick={() => setAt(at - 1)}>
          {t('Previous page')}
        </Button>
        <Button disabled={at === pages.length - 1} onClick={() => setAt(at + 1)}>
          {t('Next page')}
        </Button>
        <span role="status">
          {t('Page {page} of {count}', { page: at + 1, count: pages.length })}
        </span>
      </div>
    </div>
  );
}
