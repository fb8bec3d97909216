import { useState } from 'preact/hooks';
import { browser } from '../browser.ts';
import { playAlert } from '../device/play-alert.ts';
import { showBadge } from '../device/request-alerts.tsx';
import {
  type AlertSettings,
  loadAlertSettings,
  saveAlertSettings,
} from '../model/alert-settings.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { t } from '../model/language.ts';
import { Button } from '../ui/button.tsx';

interface AlertsProps {
  readonly store?: KeyValueStore;
  readonly onSound?: () => Promise<void>;
}

/** The sound and the badge of this device, while a page is open. */
export function Alerts({ store = browser.store, onSound = playAlert }: AlertsProps) {
  const [settings, setSettings] = useState(() => loadAlertSettings(store));
  const change = (next: AlertSettings) => {
    saveAlertSettings(store, next);
    setSettings(next);
  };
  return (
    <section class="settings-section" aria-labelledby="alerts-title">
      <div class="settings-head">
        <h2 id="alerts-title">{t('Sound and badge')}</h2>
      </div>
      <p class="muted">{t('For this device, while a page is open.')}</p>
      <fieldset class="modes">
        <legend>{t('When a request opens')}</legend>
        <label class="mode">
          <input
            type="checkbox"
            checked={settings.sound}
            onChange={({ currentTarget }) => change({ ...settings, sound: currentTarget.checked })}
          />
          <span>
            <strong>{t('Play a soft sound')}</strong>
            <span class="about">{t('Not in your quiet hours.')}</span>
          </span>
        </label>
        <label class="mode">
          <input
            type="checkbox"
            checked={settings.badge}
            onChange={({ currentTarget }) => {
              change({ ...settings, badge: currentTarget.checked });
              if (!currentTarget.checked) void showBadge(0);
            }}
          />
          <span>
            <strong>{t('Show the number on the icon of the app')}</strong>
            <span class="about">
              {t('Where Holdpoint is installed, and the system has badges.')}
            </span>
          </span>
        </label>
      </fieldset>
      <div class="choices">
        <Button onClick={() => void onSound()}>{t('Try the sound')}</Button>
      </div>
    </section>
  );
}
