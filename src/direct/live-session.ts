/** A session that is in memory, with whoever listens to it. */
import { KINDS } from '../core/kinds/index.ts';
import type { Rejection } from '../protocol/errors.ts';
import { type AttachRequest, joined, mayJoin } from '../session/attach.ts';
import type { Attachment, SessionPorts } from '../session/ports.ts';
import { Session } from '../session/session.ts';
import { type Ear, LocalSocket } from './local-socket.ts';

const WORKSPACE = 'main';

export class LiveSession {
  readonly session: Session;
  readonly #sockets = new Set<LocalSocket<Attachment>>();
  /** Timers of the session, and callers that wait for it. */
  #underWay = 0;

  constructor(id: string, ports: Omit<SessionPorts, 'sockets'>) {
    this.session = new Session({ workspace: WORKSPACE, id }, KINDS, {
      ...ports,
      sockets: { all: () => [...this.#sockets] },
      later: (ms, work) => {
        const done = this.begin();
        ports.later(ms, () => {
          done();
          work();
        });
      },
    });
  }

  /** Nobody would notice if it were read from storage the next time. */
  get isIdle(): boolean {
    return this.#sockets.size === 0 && this.#underWay === 0;
  }

  get exists(): boolean {
    return this.session.current() !== null;
  }

  /** It is needed in memory until the result is called. */
  begin(): () => void {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  }

  attach(request: AttachRequest, ear: Ear): LocalSocket<Attachment> | Rejection {
    const refused = mayJoin(this.session, request);
    if (refused !== undefined) return refused;
    const socket = new LocalSocket(request.attachment, ear, (left) => {
      this.#sockets.delete(left);
      this.session.hub.forget(left);
    });
    this.#sockets.add(socket);
    joined(this.session, socket, request);
    return socket;
  }

  hangUp(): void {
    for (const socket of this.#sockets) socket.close(1001);
  }
}
