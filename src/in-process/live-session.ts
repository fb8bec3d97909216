/** A session in memory, with its connections. */
import { KINDS } from '../core/kinds/index.ts';
import { reject, type Rejection } from '../protocol/errors.ts';
import { type JoinRequest, completeJoin, joinRejection } from '../session/join.ts';
import { receiveFrame } from '../session/frames-in.ts';
import type { Attachment, SessionPorts } from '../session/ports.ts';
import { Session } from '../session/session.ts';
import { LocalSocket } from './local-socket.ts';
import { WORKSPACE_NAME } from './role.ts';

const CLOSED = reject('unavailable', 'This was closed');

export class LiveSession {
  readonly session: Session;
  readonly #sockets = new Set<LocalSocket<Attachment>>();
  /** Counts timers of the session, and callers that wait for it. */
  #underWay = 0;

  constructor(id: string, ports: Omit<SessionPorts, 'sockets'>) {
    this.session = new Session({ workspace: WORKSPACE_NAME, id }, KINDS, {
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

  /** An idle session may leave memory: reading it from storage again gives the same session. */
  get isIdle(): boolean {
    return this.#sockets.size === 0 && this.#underWay === 0 && !this.session.runner.isAtWork;
  }

  get exists(): boolean {
    return this.session.current() !== null;
  }

  /** Keeps the session in memory until the result is called. */
  begin(): () => void {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  }

  connect(request: JoinRequest): LocalSocket<Attachment> | Rejection {
    const refused = joinRejection(this.session, request);
    if (refused !== undefined) return refused;
    const socket = new LocalSocket(
      request.attachment,
      (from, text) => void receiveFrame(this.session, from, text),
      (left) => {
        this.#sockets.delete(left);
        this.session.subscribers.remove(left);
      },
    );
    this.#sockets.add(socket);
    completeJoin(this.session, socket, request);
    return socket;
  }

  /** Ends its connections and the work of its agent. */
  end(): void {
    this.session.runner.stop();
    this.session.rendezvous.refuse(CLOSED);
    for (const socket of this.#sockets) socket.close(1001);
  }
}
