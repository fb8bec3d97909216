/** Devices: browsers that a person has allowed to be notified by push. */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';
import { SessionId } from './ids.ts';
import { Name } from './name.ts';

const base64Url = (chars: number) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${chars}}$`), 'Use base64url without padding')
    .meta({ example: 'B'.padEnd(chars, 'A') });

export const CreateDevice = z
  .strictObject({
    name: Name.describe('What its person calls the device.'),
    subscription: z
      .strictObject({
        endpoint: z.string().min(1).max(LIMITS.toolUrlChars).meta({
          description: 'HTTPS at a public host name.',
          example: 'https://push.example.com/one',
        }),
        expirationTime: z.number().nullable().exactOptional(),
        keys: z.strictObject({ p256dh: base64Url(87), auth: base64Url(22) }),
      })
      .describe('The `PushSubscription` of the browser, as JSON.'),
  })
  .meta({ id: 'CreateDevice' });
export type CreateDevice = z.infer<typeof CreateDevice>;

export const DeviceView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    session: SessionId.nullable().describe('Null: it is notified of the whole workspace.'),
    createdAt: z.number(),
    usedAt: z.number().describe('When the chat was last opened on it.'),
    expiresAt: z.number().nullable().describe('The end of the sign-in that it was allowed with.'),
    disabledAt: z.number().nullable(),
  })
  .meta({ id: 'Device' });
export type DeviceView = z.infer<typeof DeviceView>;
