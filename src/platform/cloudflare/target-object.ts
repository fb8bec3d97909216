/** The Durable Object of one target: gives the target its ports, and names the methods that a stub can call. */
import { DurableObject } from 'cloudflare:workers';
import type { AnswerLink } from '../../core/answer-links/answer-link.ts';
import type { OutgoingAnnouncement, ReceiverAnswer, TargetConfig } from '../../delivery/ports.ts';
import type { InboundMessage } from '../../delivery/receiver-answer.ts';
import type { SurfaceMessage } from '../../delivery/surfaces/surface.ts';
import { Target } from '../../delivery/target.ts';
import type { RedeliverSince } from '../../protocol/schema/target.ts';
import type { PageQuery } from '../../workspace/ports.ts';
import { signedAnswerLinks } from '../answer-links.ts';
import { deliveryTimes } from '../webhook-ports.ts';
import { durableDatabase } from '../sqlite/database.ts';
import { TARGET_MIGRATIONS } from '../sqlite/migrations.ts';
import { SqliteTargetStore } from '../sqlite/target-store.ts';
import { encryptPush } from '../web-push/encrypt-push.ts';
import { webhookSender } from '../webhooks/send-webhook.ts';
import { boundMailSender } from './bound-mail.ts';
import { readDeployment } from './config.ts';
import { type DurableAlarm, durableAlarm } from './durable-alarm.ts';
import type { Env } from './env.ts';
import { logUnknownSchema, warn } from './log.ts';
import { frameLimit } from './rate-limits.ts';
import { sessionStub } from './stubs.ts';

export class TargetObject extends DurableObject<Env> {
  #alarm!: DurableAlarm;
  #target!: Target;
  #answerLinks: ReturnType<typeof signedAnswerLinks> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      this.#alarm = await durableAlarm(ctx.storage, warn);
      this.#target = logUnknownSchema(`the target ${ctx.id.name}`, () => this.#begin());
    });
  }

  #begin(): Target {
    return new Target({
      store: new SqliteTargetStore(durableDatabase(this.ctx.storage), TARGET_MIGRATIONS),
      alarm: this.#alarm,
      send: webhookSender({
        fetch: (url, init) => fetch(url, init),
        allowPrivate: this.env.HOLDPOINT_PRIVATE_TOOLS === '1',
      }),
      sendPush: webhookSender({
        fetch: async (url, init) =>
          this.env.PUSH_SERVICES === undefined
            ? fetch(url, init)
            : this.env.PUSH_SERVICES.fetch(url, init),
        allowPrivate: false,
      }),
      encryptPush,
      ...(this.env.EMAIL !== undefined && { sendBoundMail: boundMailSender(this.env.EMAIL) }),
      answer: (answer) => this.#answer(answer),
      countAnswer: () =>
        frameLimit(this.env)(`answers ${this.ctx.id.toString()}`)?.retryAfterSeconds,
      writeAnswerLink: (link) => this.#writeAnswerLink(link),
      reportDisabled: ({ id, workspace }, disabled) =>
        this.env.WORKSPACE.getByName(workspace).disableFailedTarget(id, disabled),
      now: Date.now,
      ...deliveryTimes,
      warn,
    });
  }

  #writeAnswerLink(link: AnswerLink): string {
    this.#answerLinks ??= signedAnswerLinks(this.env.HOLDPOINT_SECRET ?? '');
    return this.#answerLinks.write(link);
  }

  /** The defaults are read anew, because they may have changed since the delivery. */
  async #answer({ workspace, sessionId, interactionId, answer, caller }: ReceiverAnswer) {
    const deployment = readDeployment(this.env, '');
    if (!deployment.ok) throw new Error(deployment.problem);
    const { timeouts, forbidSelfApproval } = deployment.value.config;
    const { settings } = await this.env.WORKSPACE.getByName(workspace).policy();
    const command = { type: 'interaction.answer', target: { interactionId }, answer } as const;
    return sessionStub(this.env, workspace, sessionId).handle(command, {
      caller,
      timeouts: { ...timeouts, ...settings.timeouts },
      forbidSelfApproval: settings.forbidSelfApproval ?? forbidSelfApproval,
    });
  }

  receive(config: TargetConfig | null, announcements: readonly OutgoingAnnouncement[]): void {
    this.#target.receive(config, announcements);
  }

  test() {
    return this.#target.test();
  }

  deliveries(page: PageQuery) {
    return this.#target.deliveries(page);
  }

  redeliver(id: string) {
    return this.#target.redeliver(id);
  }

  redeliverSince(what: RedeliverSince) {
    return this.#target.redeliverSince(what);
  }

  answer(id: string, message: InboundMessage) {
    return this.#target.answer(id, message);
  }

  answersAs(subject: string): boolean {
    return this.#target.answersAs(subject);
  }

  receiveMessage(message: SurfaceMessage) {
    return this.#target.receiveMessage(message);
  }

  override async alarm(): Promise<void> {
    this.#alarm.markFired();
    await this.#target.alarm();
  }
}
