/**
 * Stubs of the sessions, the workspace and the inbox of this process, as
 * `platform/cloudflare/stubs.ts` has them for Durable Objects.
 */
import type * as stubs from '../http/stubs.ts';
import type { Rejection } from '../protocol/errors.ts';
import { attachFile, readAttachedPart } from '../session/attached-files.ts';
import { importHistoryPage, readHistoryPage } from '../session/history.ts';
import { handleCommands } from '../session/audiences.ts';
import { openAndJoin } from '../session/join.ts';
import { acknowledgeOutcome } from '../session/acknowledge.ts';
import { reuseApproval } from '../session/reuse-approval.ts';
import * as queries from '../session/queries.ts';
import { searchLog } from '../session/search-log.ts';
import { readResultMeta, writeResult } from '../session/command-result.ts';
import type { Session } from '../session/session.ts';
import type { ClientEnd } from './local-socket.ts';
import { UNKNOWN_SESSION, type SessionHost } from './session-host.ts';

/** The connection of an accepted upgrade: only a server can make a response with status 101. */
const socketsByUpgrade = new WeakMap<Response, ClientEnd>();

export function createUpgrade(socket: ClientEnd): Response {
  const response = new Response(null);
  socketsByUpgrade.set(response, socket);
  return response;
}

/** Undefined: the upgrade was not accepted. */
export function socketOf(response: Response): ClientEnd | undefined {
  return socketsByUpgrade.get(response);
}

export function findLocalSession(host: SessionHost, id: string): stubs.FoundSession | Rejection {
  if (host.find(id) === undefined) return UNKNOWN_SESSION;
  return {
    ok: true,
    session: localSessionStub(host, id),
    connections: sessionConnections(host, id),
  };
}

/** Every call finds the session anew: an idle session may have left memory since the last call. */
export function localSessionStub(host: SessionHost, id: string): stubs.SessionStub {
  const read = async <Value>(look: (session: Session) => Value): Promise<Value | Rejection> => {
    const session = host.find(id)?.session;
    return session === undefined ? UNKNOWN_SESSION : look(session);
  };
  return {
    handle: async (command, context) => writeResult(await host.handle(id, command, context)),
    async handleEach(commands, context) {
      const handled = await host.whileUsed(id, (session) =>
        handleCommands(session, commands, context),
      );
      return 'ok' in handled ? commands.map(() => handled) : handled;
    },
    snapshot: () => read(queries.readSnapshot),
    interaction: (interactionId, caller) =>
      read((session) => queries.readInteraction(session, interactionId, caller)),
    acknowledge: (interactionId, toolCallId, caller) =>
      read((session) => acknowledgeOutcome(session, interactionId, toolCallId, caller)),
    reuseApproval: (interactionId, caller) =>
      read((session) => reuseApproval(session, interactionId, caller)),
    interactions: (wanted, caller) =>
      read((session) => queries.listInteractions(session, wanted, caller)),
    inputPart: (interactionId, part) =>
      read((session) => queries.readInputPart(session, interactionId, part)),
    attach: (file, base64, caller) => read((session) => attachFile(session, file, base64, caller)),
    attachedPart: (attachmentId, part) =>
      read((session) => readAttachedPart(session, attachmentId, part)),
    agentSettings: () => read(queries.readAgentSettings),
    rules: () => read(queries.readRules),
    search: (asked, caller) => read((session) => searchLog(session, asked, caller)),
    files: () => read(queries.readFiles),
    file: (path) => read((session) => queries.readStoredFile(session, path)),
    events: (after, limit, caller) =>
      read((session) => queries.readEvents(session, after, limit, caller)),
    importHistory: (page, context) =>
      host.whileUsed(id, (session) => importHistoryPage(session, page, context)),
    history: (after, limit) => read((session) => readHistoryPage(session, after, limit)),
  };
}

function sessionConnections(host: SessionHost, id: string): stubs.SessionConnections {
  return {
    async connect(request) {
      return connectionOf(host.find(id)?.connect(request) ?? UNKNOWN_SESSION);
    },
    async waitForOutcome(request) {
      return connectionOf(host.find(id)?.connect(request) ?? UNKNOWN_SESSION);
    },
    async askAndWait(asked) {
      const live = host.find(id);
      if (live === undefined) return UNKNOWN_SESSION;
      const joined = await openAndJoin(live.session, asked, (waiter) => {
        const connection = connectionOf(live.connect(waiter));
        return connection.ok ? connection : undefined;
      }).finally(live.begin());
      const { handled, connection, interactionId } = joined;
      await host.reportFirst(live, handled);
      if (!handled.ok || connection === undefined) return writeResult(handled);
      return { ok: true, ...readResultMeta(handled), interactionId, socket: connection.socket };
    },
  };
}

export function localWorkspaceStub(host: SessionHost): stubs.WorkspaceStub {
  const { workspace } = host;
  return {
    async sessions(query, subject) {
      await host.reportAll();
      return workspace.sessions(query, subject);
    },
    async pinSession(subject, sessionId) {
      await host.reportAll();
      return workspace.pinSession(subject, sessionId);
    },
    unpinSession: async (...named) => workspace.unpinSession(...named),
    async inbox(page) {
      await host.reportAll();
      return workspace.inbox(page);
    },
    async decisions(page, decider) {
      await host.reportAll();
      return workspace.decisions(page, decider);
    },
    async audit(query) {
      await host.reportAll();
      return workspace.audit(query);
    },
    async exportAudit(query) {
      await host.reportAll();
      return workspace.exportAudit(query);
    },
    async openStatus() {
      await host.reportAll();
      return workspace.openStatus();
    },
    async status() {
      await host.reportAll();
      return workspace.status();
    },
    async previewRetention(retention) {
      await host.reportAll();
      return workspace.previewRetention(retention);
    },
    async noteExport(...noted) {
      await host.reportAll();
      workspace.noteExport(...noted);
    },
    workspaces: async () => workspace.workspaces(),
    createWorkspace: async (...wanted) => workspace.createWorkspace(...wanted),
    renameWorkspace: async (...wanted) => workspace.renameWorkspace(...wanted),
    noteWorkspaceKey: async (...noted) => workspace.noteWorkspaceKey(...noted),
    createKey: async (...wanted) => workspace.credentials.createKey(...wanted),
    listKeys: async () => workspace.credentials.listKeys(),
    revokeKey: (...wanted) => workspace.credentials.revokeKey(...wanted),
    recordToken: async (...wanted) => workspace.credentials.recordToken(...wanted),
    tokens: async (page) => workspace.credentials.tokens(page),
    revoke: (...wanted) => workspace.credentials.revoke(...wanted),
    claimCliSession: async (...wanted) => workspace.claimCliSession(...wanted),
    releaseCliSession: async (...wanted) => workspace.releaseCliSession(...wanted),
    async findCliSession(...wanted) {
      await host.reportAll();
      return workspace.findCliSession(...wanted);
    },
    // No address leads to a process: a receiver answers in its response.
    createTarget: async (input, maker, name) =>
      workspace.receivers.createTarget(input, { ...maker, origin: undefined }, name),
    createDevice: (input, owner, vapid) => workspace.receivers.createDevice(input, owner, vapid),
    devices: async (subject) => workspace.receivers.devices(subject),
    device: async (id, subject) => workspace.receivers.device(id, subject),
    removeDevice: (id, by) => workspace.receivers.removeDevice(id, by),
    vapidKeys: () => workspace.receivers.vapidKeys(),
    targets: async () => workspace.receivers.targets(),
    target: async (id) => workspace.receivers.target(id),
    updateTarget: (...wanted) => workspace.receivers.updateTarget(...wanted),
    rotateTargetSecret: (...wanted) => workspace.receivers.rotateTargetSecret(...wanted),
    deleteTarget: (...wanted) => workspace.receivers.deleteTarget(...wanted),
    policy: async (uses) => workspace.policy(uses),
    audiencePolicy: async () => workspace.audiencePolicy(),
    rules: async (page) => workspace.rules(page),
    createRule: async (...wanted) => workspace.createRule(...wanted),
    deleteRule: async (...wanted) => workspace.deleteRule(...wanted),
    tryRule: async (wanted) => workspace.tryRule(wanted),
    groups: async () => workspace.groups(),
    putGroup: async (...wanted) => workspace.putGroup(...wanted),
    deleteGroup: async (...wanted) => workspace.deleteGroup(...wanted),
    quietHours: async (subject) => workspace.quietHours(subject),
    setQuietHours: async (...wanted) => workspace.setQuietHours(...wanted),
    people: async () => workspace.directory.list(),
    person: async (subject) => workspace.directory.person(subject),
    invitePerson: async (...wanted) => workspace.directory.invite(...wanted),
    updatePerson: (...wanted) => workspace.directory.update(...wanted),
    removePerson: (...wanted) => workspace.directory.remove(...wanted),
    members: async () => workspace.directory.members(),
    names: async () => workspace.directory.names(),
    signIn: (...wanted) => workspace.directory.signIns.begin(...wanted),
    admit: (...wanted) => workspace.directory.signIns.admit(...wanted),
    acceptInvitation: async (...wanted) => workspace.directory.signIns.acceptInvitation(...wanted),
    checkMember: async (...wanted) => workspace.directory.signIns.checkMember(...wanted),
    signIns: async (subject) => workspace.directory.signIns.list(subject),
    endSignIn: (...wanted) => workspace.directory.signIns.end(...wanted),
    endOtherSignIns: (...wanted) => workspace.directory.signIns.endOthers(...wanted),
    ownTokens: async (subject) => workspace.directory.ownTokens(subject),
    updateSettings: async (...wanted) => workspace.updateSettings(...wanted),
    watch: async (...wanted) => workspace.credentials.watch(...wanted),
  };
}

export function localInboxStub(host: SessionHost): stubs.InboxStub {
  return { connect: async (listening) => connectionOf(await host.connectInbox(listening)) };
}

function connectionOf(socket: ClientEnd | Rejection): stubs.AcceptedUpgrade | Rejection {
  if ('ok' in socket) return socket;
  return {
    ok: true,
    response: createUpgrade(socket),
    socket: {
      listen: (received, ended) => socket.listen({ received, ended }),
      close: () => socket.leave(),
    },
  };
}
