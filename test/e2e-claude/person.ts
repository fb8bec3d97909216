/** A person who answers open interactions over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { Interaction, JsonObject } from '../../src/protocol/types.ts';
import type { Transcript } from './transcript.ts';

const PATIENCE_MS = 60_000;

export class Person {
  readonly transport: HttpTransport;
  readonly #transcript: Transcript;

  constructor(url: string, token: string, transcript: Transcript) {
    this.transport = new HttpTransport({ url, token });
    this.#transcript = transcript;
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
