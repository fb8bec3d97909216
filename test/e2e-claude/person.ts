/** A person who answers open interactions over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { Interaction, JsonObject } from '../../src/protocol/types.ts';
import type { Transcript } from './transcript.ts';

const PATIENCE_MS = 60_000;

export class Person {
  readonly transport: HttpTransport;
  readonly #transcript: Transcript;
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string, transcript: Transcript) {
    this.transport = new HttpTransport({ url, token });
    this.#transcript = transcript;
    this.#url = url;
    this.#token = token;
  }

  async asked(session: string): Promise<Interaction> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const open = await this.transport.snapshot(session).then(
        (snapshot) => snapshot.open,
        () => [],
      );
      const [first] = open;
      if (first !== undefined) {
        this.#transcript.line('Holdpoint', `asks: ${aboutOf(first)}`);
        return first;
      }
      if (Date.now() > until) throw new Error(`Nobody asked in ${session}`);
      await sleep(50);
    }
  }

  async answer(session: string, { interactionId }: Interaction, answer: JsonObject): Promise<void> {
    this.#transcript.line('person', JSON.stringify(answer));
    await this.transport.answer(session, interactionId, answer);
  }

  /** How many questions the session ever had. */
  async countAsked(session: string): Promise<number> {
    const response = await fetch(`${this.#url}/v1/sessions/${session}/events?limit=1000`, {
      headers: { Authorization: `Bearer ${this.#token}` },
    });
    const { events } = (await response.json()) as { events: readonly { type: string }[] };
    return events.filter(({ type }) => type === 'interaction_request').length;
  }

  /** Waits for an interaction, and answers it. */
  async answerNext(session: string, answer: JsonObject): Promise<Interaction> {
    const asked = await this.asked(session);
    await this.answer(session, asked, answer);
    return asked;
  }
}

function aboutOf({ kind, toolName, request }: Interaction): string {
  const { input, questions, plan } = request;
  return `${kind} ${toolName} ${JSON.stringify(input ?? questions ?? plan ?? request)}`;
}
