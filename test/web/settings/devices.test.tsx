/** “My devices” in the settings. A bug here hides that a device is not notified, or removes another one than was pressed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceView } from '../../../src/protocol/schema/device.ts';
import type { JsonObject } from '../../../src/protocol/types.ts';
import { eraseDeviceRecord, saveDeviceRecord } from '../../../src/service-worker/device-record.ts';
import { SettingsScreen } from '../../../src/web/settings/settings.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { mount } from '../../support/web/mount.ts';
import { ADA } from '../../support/web/person.ts';
import { NO_INBOX, playTargets } from '../../support/web/played-targets.ts';

const NOW = Date.now();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const rows = () => page.getByRole('list', { name: 'My devices' }).getByRole('listitem');

function device(changes: Partial<DeviceView> = {}): DeviceView {
  return {
    id: 'tgt_phone',
    name: 'Chrome on Android',
    session: null,
    createdAt: NOW,
    usedAt: NOW - 3_600_000,
    expiresAt: null,
    disabledAt: null,
    ...changes,
  };
}

interface PlayedDevices {
  readonly asked: string[];
  devices: readonly DeviceView[];
  /** What the push service responds to a test. */
  problem?: string;
  /** The next request is refused with this. */
  refusal?: string;
}

/** The devices of one person, as the server has them. */
function playDevices(...devices: readonly DeviceView[]): PlayedDevices {
  const played: PlayedDevices = { asked: [], devices };
  const reply = (body: JsonObject, status = 200) => Response.json(body, { status });
  vi.stubGlobal('fetch', async (path: string, { method, headers }: RequestInit) => {
    expect(headers).toMatchObject({ Authorization: `Bearer ${ADA.token}` });
    // The other half of the page.
    if (path === '/v1/me/sign-ins') {
      return reply({ signIns: [], tokens: [], current: ADA.credential });
    }
    played.asked.push(`${method} ${path}`);
    const { refusal, problem } = played;
    delete played.refusal;
    if (refusal !== undefined) return reply({ error: { message: refusal } }, 503);
    if (path.endsWith('/test')) {
      return reply({ delivery: { last: problem === undefined ? {} : { problem } } });
    }
    if (method === 'DELETE') {
      played.devices = played.devices.filter(({ id }) => path !== `/v1/devices/${id}`);
      return new Response(null, { status: 204 });
    }
    return reply({ devices: [...played.devices], publicKey: 'BAAA' });
  });
  return played;
}

function show() {
  return mount(
    <div class="chat alone">
      <div class="stage">
        <SettingsScreen
          location={{ settings: 'devices' }}
          clock={handClock(NOW)}
          person={ADA}
          transport={NO_INBOX}
          onGo={() => undefined}
          onMenu={() => undefined}
          targets={() => playTargets()}
        />
      </div>
    </div>,
  );
}

beforeEach(() => page.viewport(1280, 800));
afterEach(async () => {
  vi.unstubAllGlobals();
  await eraseDeviceRecord();
});

describe('[PUSH-1] My devices', () => {
  it.each([1280, 390])('lists devices with their last use at %i pixels', async (width) => {
    await page.viewport(width, 800);
    await saveDeviceRecord({ deviceId: 'tgt_phone', token: ADA.token, subject: ADA.subject });
    const paused = { id: 'tgt_old', name: 'Firefox on Linux', usedAt: NOW, disabledAt: NOW };
    playDevices(device(), device({ ...paused, expiresAt: NOW + 3_600_000 }));
    const { element } = show();
    await expect.element(rows().nth(0)).toHaveTextContent('Chrome on Android (this device)');
    await expect.element(rows().nth(0)).toHaveTextContent('Last used 1h ago');
    await expect.element(rows().nth(1)).toHaveTextContent('signed in until');
    await expect.element(rows().nth(1)).toHaveTextContent('paused by an administrator');
    await expect.element(rows().nth(1)).not.toHaveTextContent('(this device)');
    expect(button('Notify this device').query()).toBeNull();
    expect(element.querySelector('.settings-content')?.scrollWidth).toBeLessThanOrEqual(width);
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it('sends a test, and shows what the push service says of it', async () => {
    const played = playDevices(device());
    const { element } = show();
    await button('Send a test to Chrome on Android').click();
    await expect.element(page.getByRole('status')).toHaveTextContent('A test was sent.');
    played.problem = 'The push service responded 410';
    await button('Send a test to Chrome on Android').click();
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent('The push service responded 410');
    await expect.element(page.getByText('A test was sent.')).not.toBeInTheDocument();
    expect(await axeProblems(element)).toEqual([]);
    expect(played.asked).toContain('POST /v1/devices/tgt_phone/test');
  });

  it('removes the device whose button was pressed', async () => {
    const played = playDevices(device(), device({ id: 'tgt_old', name: 'Firefox on Linux' }));
    show();
    await button('Remove Firefox on Linux').click();
    await expect.element(page.getByRole('status')).toHaveTextContent('Removed.');
    expect(played.devices.map(({ id }) => id)).toEqual(['tgt_phone']);
    await button('Remove Chrome on Android').click();
    await expect.element(page.getByText('No device is notified yet.')).toBeVisible();
  });

  it('shows a sentence of the server in place of the list', async () => {
    const played = playDevices(device());
    played.refusal = 'Too many requests';
    show();
    await expect.element(page.getByRole('alert')).toHaveTextContent('Too many requests');
    expect(page.getByText('Loading…').query()).toBeNull();
    expect(rows().query()).toBeNull();
  });

  it.each([
    { permission: 'default', words: undefined },
    { permission: 'denied', words: /^Notifications of this site are blocked/ },
  ])('offers this browser with the permission $permission', async ({ permission, words }) => {
    vi.stubGlobal('Notification', { permission });
    playDevices(device());
    const { element } = show();
    await expect.element(rows()).toHaveTextContent('Chrome on Android');
    if (words === undefined) await expect.element(button('Notify this device')).toBeVisible();
    else {
      await expect.element(page.getByText(words)).toBeVisible();
      expect(button('Notify this device').query()).toBeNull();
    }
    expect(await axeProblems(element)).toEqual([]);
  });
});
