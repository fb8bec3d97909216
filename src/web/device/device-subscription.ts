/**
 * Push notifications of this browser: allowed by a press, renewed at each start, and ended with the sign-in.
 *
 * The server has the device under the credential of the person, and the service worker the same credential; the three are
 * allowed and ended together here.
 */
import { credentialHeaders } from '../../protocol/credential-headers.ts';
import type { QuietHours } from '../../protocol/schema/quiet-hours.ts';
import { decodeBase64Url } from '../../protocol/base64.ts';
import { isObject } from '../../protocol/types.ts';
import type { DeviceView } from '../../protocol/schema/device.ts';
import {
  eraseDeviceRecord,
  readDeviceRecord,
  saveDeviceRecord,
} from '../../service-worker/device-record.ts';
import { browserName } from '../model/browser-name.ts';
import { PUSHED_NAME, storeIn } from '../model/key-value-store.ts';
import type { Person } from '../model/person.ts';
import { serverText, t } from '../model/language.ts';

const STORED = storeIn(() => localStorage);

type SignedInPerson = Pick<Person, 'token' | 'subject'>;

/** `install-first`: Safari on phones has push only for a chat on the home screen. */
type PushSupport = 'possible' | 'refused' | 'install-first' | 'none';

export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator)) return 'none';
  if (!('PushManager' in globalThis) || !('Notification' in globalThis)) {
    return /iPhone|iPad/.test(navigator.userAgent) ? 'install-first' : 'none';
  }
  return Notification.permission === 'denied' ? 'refused' : 'possible';
}

interface OwnDevices {
  readonly devices: readonly DeviceView[];
  readonly publicKey: string;
}

export async function fetchDevices(person: SignedInPerson): Promise<OwnDevices> {
  return (await callServer(person, 'GET', '/v1/devices')) as OwnDevices;
}

export async function fetchQuietHours(person: SignedInPerson): Promise<QuietHours | null> {
  const reply = await callServer(person, 'GET', '/v1/me/quiet-hours');
  return (reply as { quietHours: QuietHours | null }).quietHours;
}

export async function deleteDevice(person: SignedInPerson, id: string): Promise<void> {
  await callServer(person, 'DELETE', `/v1/devices/${id}`);
  const record = await readDeviceRecord();
  if (record?.deviceId === id) await endSubscription();
}

/** Resolves with what went wrong; undefined once the push service has it. */
export async function testDevice(person: SignedInPerson, id: string): Promise<string | undefined> {
  const { delivery } = (await callServer(person, 'POST', `/v1/devices/${id}/test`)) as {
    delivery: { last: { problem?: string } | null };
  };
  return delivery.last?.problem;
}

/** The id of the device that this browser is; undefined where its person has not allowed it. */
export async function presentDevice(): Promise<string | undefined> {
  return (await readDeviceRecord())?.deviceId;
}

/** Call it after a press: browsers ask for permission only then. */
export async function allowDevice(person: SignedInPerson): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('Notifications are off in the settings of this browser');
  }
  const { publicKey } = await fetchDevices(person);
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  const key = decodeBase64Url(publicKey) ?? null;
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  await register(person, known ?? (await pushManager.subscribe(wanted)));
}

async function register(person: SignedInPerson, subscription: PushSubscription): Promise<void> {
  const { device } = (await callServer(person, 'POST', '/v1/devices', {
    name: browserName(navigator.userAgent),
    subscription: subscription.toJSON(),
  })) as { device: DeviceView };
  const { token, subject } = person;
  await saveDeviceRecord({ deviceId: device.id, token, subject });
  STORED.set(PUSHED_NAME, 'on');
}

/** At the start of the page: the device goes with the person who is signed in now, and ends without one. */
export async function renewDevice(
  findPerson: () => SignedInPerson | undefined | Promise<SignedInPerson | undefined>,
): Promise<void> {
  const record = await readDeviceRecord();
  if (record === undefined) return;
  const person = await findPerson();
  if (person?.subject !== record.subject) return endDevice();
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.getSubscription();
  if (subscription === null) return endDevice();
  await register(person, subscription);
}

/** After signing out: the server forgets the device, and the worker the credential. */
export async function endDevice(): Promise<void> {
  const record = await readDeviceRecord();
  if (record === undefined) return;
  await endSubscription();
  // The subscription is gone already: the server finds that out by itself when it is out of reach now.
  await callServer(record, 'DELETE', `/v1/devices/${record.deviceId}`).catch(() => undefined);
}

async function endSubscription(): Promise<void> {
  STORED.remove(PUSHED_NAME);
  await eraseDeviceRecord();
  const registration = await navigator.serviceWorker.ready;
  for (const one of await registration.getNotifications()) one.close();
  await (await registration.pushManager.getSubscription())?.unsubscribe();
}

async function callServer(
  { token }: Pick<SignedInPerson, 'token'>,
  method: string,
  path: string,
  json?: object,
): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: { ...credentialHeaders(token), 'Content-Type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (response.ok) return body;
  const { message, code } = isObject(body) && isObject(body.error) ? body.error : {};
  throw new Error(
    typeof message === 'string'
      ? serverText(message, typeof code === 'string' ? code : undefined)
      : t('The server responded {status}', { status: response.status }),
  );
}
