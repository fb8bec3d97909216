/**
 * A target with everything around it played: a clock that is moved by hand, a receiver that does as the test says, and an
 * object that can die in the middle of an attempt. Storage is real, in memory.
 */
import { DatabaseSync } from 'node:sqlite';
import type {
  AnswerResult,
  OutgoingAnnouncement,
  ReceiverAnswer,
  TargetConfig,
  TargetStore,
} from '../../src/delivery/ports.ts';
import type { SurfaceReply, SurfaceRequest } from '../../src/delivery/surfaces/surface.ts';
import { Target } from '../../src/delivery/target.ts';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { TARGET_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { SqliteTargetStore } from '../../src/platform/sqlite/target-store.ts';
import type { Announcement } from '../../src/protocol/schema/announcement.ts';
import type { JsonObject } from '../../src/protocol/json.ts';

export const SECRET = `whsec_${Buffer.from('a secret of the target, 32 bytes').toString('base64')}`;
export const CONFIG: TargetConfig = {
  id: 'tgt_1',
  workspace: 'main',
  surface: { type: 'webhook', url: 'https://hooks.example.com/' },
  origin: 'https://holdpoint.example',
  audience: 'Ops',
  secrets: [{ text: SECRET, until: null }],
  maker: { credential: 'key_admin', key: 'key_admin' },
  isEnabled: true,
  enabledCount: 1,
};

export const OK: SurfaceReply = { status: 200, text: '', retryAfter: null };
export const DOWN: SurfaceReply = {
  status: 500,
  text: 'broken',
  retryAfter: null,
  problem: 'The receiver responded 500',
};

export interface Sent extends SurfaceRequest {
  readonly body: string;
  readonly id: string;
  readonly at: number;
  readonly content: { type: string; timestamp: string; data: JsonObject };
}

type Receiver = (sent: Sent) => SurfaceReply | Promise<SurfaceReply>;

export class TargetWorld {
  now = 1_700_000_000_000;
  config: TargetConfig = CONFIG;
  armedAt: number | null = null;
  chance = 0.5;
  readonly sent: Sent[] = [];
  readonly answers: ReceiverAnswer[] = [];
  readonly disabled: number[] = [];
  /** When the receiver was found to be gone for good. */
  readonly gone: number[] = [];
  readonly warned: string[] = [];
  receiver: Receiver = () => OK;
  onAnswer: () => AnswerResult | Promise<AnswerResult> = () => ({ ok: true, json: '{}' });
  countAnswer: () => number | undefined = () => undefined;
  onDisabled: () => void = () => undefined;
  /** How long an inbound message waits for its work: never too long, unless a test says so. */
  wait: (ms: number) => Promise<void> = () => new Promise(() => undefined);
  store: TargetStore;
  target: Target;
  readonly #open: () => TargetStore;
  /** Of the present object: what an earlier one still does reaches nothing. */
  #life = 0;

  constructor(open?: () => TargetStore) {
    const database = nodeDatabase(new DatabaseSync(':memory:'));
    this.#open = open ?? (() => new SqliteTargetStore(database, TARGET_MIGRATIONS));
    this.store = this.#open();
    this.target = this.#begin();
  }

  /** The object dies; rows and alarm stay. Work that was under way ends without an effect. */
  crash(): void {
    this.#life += 1;
    this.store = this.#open();
    this.target = this.#begin();
  }

  /** Time passes, and alarms go off. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await this.settle();
    while (this.armedAt !== null && this.armedAt <= end) {
      this.now = Math.max(this.now, this.armedAt);
      this.armedAt = null;
      await this.target.alarm();
      await this.settle();
    }
    this.now = end;
  }

  /** Everything that needs no time has happened. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  }

  async receive(...announcements: readonly OutgoingAnnouncement[]): Promise<void> {
    this.target.receive(this.config, announcements);
    await this.settle();
  }

  #begin(): Target {
    const life = this.#life;
    const ifAlive = <Value>(value: Value): Value | Promise<Value> =>
      life === this.#life ? value : new Promise<Value>(() => undefined);
    const armedAt = () => this.armedAt;
    const send = async (request: SurfaceRequest) => {
      const body = String(request.body);
      const content = JSON.parse(body) as Sent['content'];
      const sent = {
        ...request,
        body,
        id: request.headers['webhook-id'] ?? '',
        at: this.now,
        content,
      };
      this.sent.push(sent);
      const reply = await this.receiver(sent);
      return ifAlive(reply);
    };
    return new Target({
      store: this.store,
      alarm: {
        get armedAt() {
          return armedAt();
        },
        arm: (at) => (this.armedAt = at),
      },
      send,
      sendPush: send,
      // In the clear: test/platform/encrypt-push.test.ts encrypts.
      encryptPush: async ({ settings, text, ttlSeconds, urgency, topic = '' }) =>
        settings.p256dh === ''
          ? undefined
          : {
              url: settings.endpoint,
              headers: { ttl: String(ttlSeconds), urgency, topic },
              body: text,
            },
      answer: async (answer) => {
        this.answers.push(answer);
        return this.onAnswer();
      },
      countAnswer: () => this.countAnswer(),
      writeAnswerLink: ({ interactionId, subject }) => `hpl_${interactionId}.${subject}`,
      reportDisabled: async (_config, { at, isGone = false }) => {
        this.onDisabled();
        (isGone ? this.gone : this.disabled).push(at);
      },
      now: () => this.now,
      chance: () => this.chance,
      isoTime: (at) => new Date(at).toISOString(),
      wait: (ms) => this.wait(ms),
      warn: (message) => this.warned.push(message),
    });
  }
}

export function requested(
  session: string,
  seq: number,
  id = `call_${seq}~1`,
): OutgoingAnnouncement {
  const announcement: Announcement = {
    type: 'interaction.requested',
    seq,
    at: 1_700_000_000_000,
    interactionId: id,
    toolCallId: id.split('~')[0] ?? '',
    toolName: 'Bash',
    kind: 'approval',
    presentation: 'tool',
    request: { input: { command: 'ls' } },
    inputDigest: 'd'.repeat(64),
    openedBy: { credential: 'key_agent', subject: 'agent' },
    expiresAt: null,
  };
  return { sessionId: session, source: `${session} log ${seq}`, announcement };
}
