/** The sound and the badge. A bug here is a phone that rings at night, or a number that stays. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { startServerClock } from '../../src/web/clock.ts';
import { playAlert, RequestAlerts } from '../../src/web/device/request-alerts.tsx';
import {
  isQuietNow,
  loadAlertSettings,
  saveAlertSettings,
} from '../../src/web/model/alert-settings.ts';
import { Alerts } from '../../src/web/settings/devices.tsx';
import { axeProblems } from '../support/web/axe.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { ADA } from '../support/web/person.ts';

it('[DAILY-7] are chosen for this device, the sound only by the person', async () => {
  const store = memoryStore();
  const sounds: number[] = [];
  const { element } = mount(<Alerts store={store} onSound={async () => void sounds.push(1)} />);
  expect(loadAlertSettings(store)).toEqual({ sound: false, badge: true });
  await page.getByRole('checkbox', { name: /Play a soft sound/ }).click();
  await page.getByRole('checkbox', { name: /Show the number/ }).click();
  expect(loadAlertSettings(store)).toEqual({ sound: true, badge: false });
  await page.getByRole('button', { name: 'Try the sound' }).click();
  expect(sounds).toEqual([1]);
  expect(await axeProblems(element, { isPage: false })).toEqual([]);
});

it('[DAILY-7] sound when more wait, and never in quiet hours', async () => {
  const store = memoryStore();
  saveAlertSettings(store, { sound: true, badge: true });
  const badges: number[] = [];
  const known = { setAppBadge: navigator.setAppBadge, clearAppBadge: navigator.clearAppBadge };
  onTestFinished(() => void Object.assign(navigator, known));
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void badges.push(count),
    clearAppBadge: async () => void badges.push(0),
  });
  let hours: object | null = null;
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ quietHours: hours }));
  onTestFinished(() => fetched.mockRestore());
  const sounds: number[] = [];
  const clock = startServerClock();
  const draw = (waiting: number) => (
    <RequestAlerts
      {...{ waiting, store, clock }}
      person={ADA}
      onSound={async () => void sounds.push(waiting)}
    />
  );
  const { show } = mount(draw(2));
  show(draw(3));
  await expect.poll(() => sounds).toEqual([3]);
  show(draw(1));
  hours = { from: '00:00', to: '23:59', timeZone: 'UTC' };
  clock.setServerTime(Date.UTC(2026, 1, 1, 12));
  show(draw(4));
  await expect.poll(() => fetched.mock.calls.length).toBe(2);
  expect(sounds).toEqual([3]);
  show(null);
  await expect.poll(() => badges).toEqual([2, 3, 1, 4, 0]);
});

it('[DAILY-7] reads quiet hours that pass midnight, in their time zone', () => {
  const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
  const at = (hour: number) => Date.UTC(2026, 0, 15, hour);
  expect([20, 21, 23, 5, 6].map((hour) => isQuietNow(night, at(hour)))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(isQuietNow({ ...night, timeZone: 'Mars/Olympus' }, at(23))).toBe(false);
  expect(isQuietNow(null, at(23))).toBe(false);
});

it('[DAILY-7] makes its sound without a file', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  const started = vi.spyOn(OscillatorNode.prototype, 'start');
  onTestFinished(() => started.mockRestore());
  vi.spyOn(AudioContext.prototype, 'state', 'get').mockReturnValue('running');
  await playAlert();
  expect(started).toHaveBeenCalledTimes(2);
  expect(fetched).not.toHaveBeenCalled();
});
