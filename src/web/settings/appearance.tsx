import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { browser } from '../browser.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { t } from '../model/language.ts';
import { chooseLanguage, chosenLanguage, findLanguage, LANGUAGES } from '../start-language.ts';
import { chooseTheme, chosenTheme, type Theme } from '../start-theme.ts';

interface AppearanceProps {
  readonly store?: KeyValueStore;
  readonly onLanguage?: typeof chooseLanguage;
}

/** How the chat looks on this device, and the language it speaks. */
export function Appearance({
  store = browser.store,
  onLanguage = chooseLanguage,
}: AppearanceProps) {
  const [theme, setTheme] = useState(() => chosenTheme(store));
  const language = chosenLanguage(store);
  const ofBrowser = LANGUAGES.get(findLanguage())?.name ?? '';
  const choose = (next: Theme | undefined) => {
    chooseTheme(store, next);
    setTheme(next);
  };
  return (
    <section class="settings-section" aria-labelledby="appearance-title">
      <div class="settings-head">
        <h2 id="appearance-title">{t('Appearance')}</h2>
      </div>
      <p class="muted">{t('For this device alone.')}</p>
      <Alternatives legend={t('Colors')} name="theme">
        <Alternative
          name="theme"
          isChosen={theme === undefined}
          onChoose={() => choose(undefined)}
          about={t('Light by day and dark by night, if your device does so.')}
        >
          {t('As the system')}
        </Alternative>
        <Alternative name="theme" isChosen={theme === 'light'} onChoose={() => choose('light')}>
          {t('Light')}
        </Alternative>
        <Alternative name="theme" isChosen={theme === 'dark'} onChoose={() => choose('dark')}>
          {t('Dark')}
        </Alternative>
      </Alternatives>
      <Alternatives
        legend={t('Language')}
        name="language"
        about={t('The page loads anew. Dates and numbers follow the language.')}
      >
        <Alternative
          name="language"
          isChosen={language === undefined}
          onChoose={() => onLanguage(store, undefined)}
          about={ofBrowser}
        >
          {t('As the browser')}
        </Alternative>
        {[...LANGUAGES].map(([code, { name, direction }]) => (
          <Alternative
            key={code}
            name="language"
            isChosen={language === code}
            onChoose={() => onLanguage(store, code)}
          >
            <span lang={code} dir={direction}>
              {name}
            </span>
          </Alternative>
        ))}
      </Alternatives>
    </section>
  );
}

interface AlternativesProps {
  readonly legend: string;
  readonly name: string;
  readonly about?: string;
  readonly children: ComponentChildren;
}

function Alternatives({ legend, name, about, children }: AlternativesProps) {
  return (
    <fieldset class="modes" aria-describedby={about === undefined ? undefined : `${name}-about`}>
      <legend>{legend}</legend>
      {children}
      {about !== undefined && (
        <p id={`${name}-about`} class="muted">
          {about}
        </p>
      )}
    </fieldset>
  );
}

interface AlternativeProps {
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly about?: string;
  readonly children: ComponentChildren;
}

function Alternative({ name, isChosen, onChoose, about, children }: AlternativeProps) {
  return (
    <label class="mode">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>
        <strong>{children}</strong>
        {about !== undefined && <span class="about">{about}</span>}
      </span>
    </label>
  );
}
