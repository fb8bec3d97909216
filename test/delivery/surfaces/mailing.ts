/** A target of type mail and its deliveries, over a provider that answers as a test says. */
import type { MailTarget, OutgoingMail } from '../../../src/delivery/surfaces/mail/compose-mail.ts';
import { mailSurface } from '../../../src/delivery/surfaces/mail/mail-surface.ts';
import type {
  OutgoingDelivery,
  SurfaceReply,
  SurfaceRequest,
} from '../../../src/delivery/surfaces/surface.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { OK, requested } from '../../support/target-world.ts';

export const PROVIDER = {
  url: 'https://mail.example.com/send',
  authorization: 'Bearer secret-of-mail',
};

export const LINK = {
  url: 'https://holdpoint.example/links/hpl_one.two',
  expiresAt: 1_700_000_600_000,
};

export function target(settings: Partial<MailTarget['settings']> = {}): MailTarget {
  return {
    id: 'tgt_1',
    workspace: 'main',
    origin: 'https://holdpoint.example',
    audience: 'mia',
    secrets: [],
    settings: {
      type: 'mail',
      to: ['mia@example.com', 'bo@example.com'],
      from: 'holdpoint@example.org',
      provider: PROVIDER,
      ...settings,
    },
  };
}

export type Requested = NonNullable<OutgoingDelivery['requested']>;

export function asked(over: Partial<Requested> = {}): Requested {
  const { announcement } = requested('demo', 1);
  if (announcement.type !== 'interaction.requested') throw new Error('No request');
  return { ...announcement, ...over };
}

export function delivery(over: Partial<OutgoingDelivery> = {}): OutgoingDelivery {
  const one = over.requested ?? asked();
  return {
    id: 'msg_1_1',
    at: one.at,
    sessionId: 'demo',
    announcement: one,
    requested: one,
    link: LINK,
    showingId: 'msg_1_1',
    shown: undefined,
    ...over,
  };
}

export async function deliver(one: OutgoingDelivery, to = target(), reply: SurfaceReply = OK) {
  const sent: SurfaceRequest[] = [];
  const bound: OutgoingMail[] = [];
  const result = await mailSurface.deliver(to, one, {
    send: async (request) => {
      sent.push(request);
      return reply;
    },
    sendPush: async () => OK,
    encryptPush: async () => undefined,
    isRetired: () => false,
    sendBoundMail: async (mail) => {
      bound.push(mail);
      return reply;
    },
    now: () => 1_700_000_000_000,
    isoTime: (at) => new Date(at).toISOString(),
    remember: () => undefined,
  });
  const bodies = sent.map(({ body }) => JSON.parse(String(body)) as JsonObject);
  return { result, sent, bodies, bound };
}
