import { useCallback, useEffect, useState } from 'preact/hooks';
import type { DeviceView } from '../../protocol/schema/device.ts';
import { type ServerClock, useNow } from '../clock.ts';
import * as subscription from '../device/device-subscription.ts';
import type { Person } from '../model/person.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { MINUTE_MS, relativeTime } from '../model/times.ts';
import { t } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { browser } from '../browser.ts';
import { playAlert, showBadge } from '../device/request-alerts.tsx';
import {
  type AlertSettings,
  loadAlertSettings,
  saveAlertSettings,
} from '../model/alert-settings.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';

interface DevicesProps {
  readonly person: Person;
  readonly clock: ServerClock;
}

/** The devices of the person: which are notified, and whether this one is. */
export function Devices({ person, clock }: DevicesProps) {
  const [devices, setDevices] = useState<readonly DeviceView[]>();
  const [present, setPresent] = useState<string>();
  const [done, setDone] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const now = useNow(clock, MINUTE_MS);
  const refresh = useCallback(async () => {
    const [list, id] = await Promise.all([
      subscription.fetchDevices(person),
      subscription.presentDevice(),
    ]);
    setDevices(list.devices);
    setPresent(id);
  }, [person]);
  const run = async (work: () => Promise<unknown>, words?: string) => {
    setBusy(true);
    setFailure(undefined);
    setDone(undefined);
    try {
      await work();
      await refresh();
      setDone(words);
    } catch (cause) {
      // The browser and the server say what is wrong in a sentence.
      setFailure(cause instanceof Error ? cause.message : String(cause));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => void run(async () => undefined), [refresh]);
  const test = async (id: string) => {
    const problem = await subscription.testDevice(person, id);
    if (problem !== undefined) throw new Error(problem);
  };
  const isAllowed = devices?.some(({ id }) => id === present) === true;
  const mayAllow = devices !== undefined && !isAllowed && subscription.pushSupport() === 'possible';
  return (
    <section class="settings-section" aria-labelledby="devices-title">
      <div class="settings-head">
        <h2 id="devices-title">{t('My devices')}</h2>
        {mayAllow && (
          <Button
            kind="primary"
            isBusy={isBusy}
            onClick={() => void run(() => subscription.allowDevice(person))}
          >
            {t('Notify this device')}
          </Button>
        )}
      </div>
      <p class="muted">
        {t(
          'They are notified when a request waits for you, also while no page is open. A device ends when you sign out on it.',
        )}
      </p>
      {!isAllowed && <SupportNote />}
      <div role="alert" class="failure" hidden={failure === undefined}>
        {failure}
      </div>
      <p role="status" class="muted" hidden={done === undefined}>
        {done}
      </p>
      {devices === undefined && failure === undefined && <p class="muted">{t('Loading…')}</p>}
      {devices?.length === 0 && <p>{t('No device is notified yet.')}</p>}
      {devices !== undefined && devices.length > 0 && (
        <ul class="target-list" aria-label={t('My devices')}>
          {devices.map((device) => (
            <li key={device.id} class="device-row">
              <div>
                <strong>{device.name}</strong>
                {device.id === present && ` (${t('this device')})`}
                <p class="muted">
                  {[
                    t('Last used {when}', { when: relativeTime(device.usedAt, now) }),
                    device.expiresAt !== null &&
                      t('signed in until {when}', { when: absoluteTime(device.expiresAt) }),
                    device.disabledAt !== null && t('paused by an administrator'),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <div class="choices">
                <Button
                  disabled={isBusy}
                  aria-label={t('Send a test to {name}', { name: device.name })}
                  onClick={() => void run(() => test(device.id), t('A test was sent.'))}
                >
                  {t('Send a test')}
                </Button>
                <Button
                  disabled={isBusy}
                  aria-label={t('Remove {name}', { name: device.name })}
                  onClick={() =>
                    void run(() => subscription.deleteDevice(person, device.id), t('Removed.'))
                  }
                >
                  {t('Remove')}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Why this device cannot be notified, and what helps. */
function SupportNote() {
  const support = subscription.pushSupport();
  if (support === 'possible') return null;
  return (
    <p class="card-hint">
      {support === 'refused' &&
        t(
          'Notifications of this site are blocked. Allow them in the settings of this browser, then reload.',
        )}
      {support === 'install-first' &&
        t(
          'Add Holdpoint to the home screen first: Share, then “Add to Home Screen”. Open it from there.',
        )}
      {support === 'none' &&
        t('This browser has no push notifications, or the address is not HTTPS.')}
    </p>
  );
}

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
