/**
 * The public types of the client, as the user of an installed package sees them. Nothing here runs: `npm run
 * types` checks it against the sources, `npm run check -- package` against the published package.
 */
import {
  type ApprovalChoice,
  type ApprovalOutcome,
  type Block,
  ClientError,
  connect,
  emptyReplica,
  emptyTimeline,
  fitToolCallId,
  foldDelta,
  foldEvents,
  foldLog,
  foldWelcome,
  HttpTransport,
  type Interaction,
  type Opened,
  type SessionEvent,
  type SessionView,
  type Settled,
  type Transport,
  type TurnEvent,
} from 'holdpoint/client';

import type { Transport as TransportOfMain } from 'holdpoint';

/** False for `any`, which is assignable to everything and would make every check below hold. */
type IsAny<T> = 0 extends 1 & T ? true : false;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
declare function isTrue<_Claim extends true>(): void;
declare function isFalse<_Claim extends false>(): void;

declare const token: string;
const transport = new HttpTransport({ url: '/', token });

// One interface, whichever way.
transport satisfies Transport;
isFalse<IsAny<Transport>>();

// The result has a known type.
isTrue<Same<Transport, TransportOfMain>>();
isTrue<Same<Awaited<ReturnType<Transport['createSession']>>, SessionView>>();
isTrue<Same<Awaited<ReturnType<Transport['answer']>>, Settled>>();
isFalse<IsAny<SessionView['title']>>();
isFalse<IsAny<Interaction['request']>>();
isFalse<IsAny<Interaction['outcome']>>();
isFalse<IsAny<SessionEvent['payload']>>();
isFalse<IsAny<Block>>();
isTrue<Same<SessionView['title'], string | null>>();
isTrue<Same<Interaction['status'], 'open' | 'settled'>>();

// An event is known by its type, and a type that does not exist is none.
declare const event: SessionEvent;
if (event.type === 'assistant_text') isTrue<Same<typeof event.payload.text, string>>();
// @ts-expect-error
if (event.type === 'assistant_words') throw event;

declare const turnEvent: TurnEvent;
if (turnEvent.type === 'text_delta') isTrue<Same<typeof turnEvent.text, string>>();

isTrue<Same<ReturnType<typeof fitToolCallId>, Promise<string>>>();

declare const opened: Opened;
if (opened.type === 'interaction') isTrue<Same<typeof opened.interaction, Interaction>>();
else {
  // @ts-expect-error Nobody was asked.
  isTrue<Same<typeof opened.interaction, Interaction>>();
}

// An approval says by which choice it was decided, and a denial whether the turn ends.
declare const outcome: ApprovalOutcome;
if (outcome.outcome === 'approved' || outcome.outcome === 'denied') {
  isTrue<Same<typeof outcome.choice, string | undefined>>();
}
if (outcome.outcome === 'denied') isTrue<Same<typeof outcome.stop, true | undefined>>();
if (outcome.outcome === 'approved') {
  // @ts-expect-error Only a denial stops a turn.
  isTrue<Same<typeof outcome.stop, true | undefined>>();
}
({ id: 'a', label: 'A', decision: 'deny', stop: true }) satisfies ApprovalChoice;
// @ts-expect-error A choice says what it decides.
({ id: 'a', label: 'A' }) satisfies ApprovalChoice;

// The timeline and the replica are folds, and never changed.
let timeline = emptyTimeline();
let replica = emptyReplica();
transport.subscribe('demo', {
  welcome: (snapshot) => (replica = foldWelcome(replica, snapshot)),
  events(events) {
    timeline = foldEvents(timeline, events);
    const folded = foldLog(replica, events);
    if (folded.ok) replica = folded.replica;
    else isTrue<Same<typeof folded.gap.after, number>>();
  },
  delta: (delta) => (timeline = foldDelta(timeline, delta)),
  status(status) {
    if (status.type === 'waiting') isTrue<Same<typeof status.retryAt, number>>();
  },
});
// @ts-expect-error
timeline.head = 1;
// @ts-expect-error
replica.open.push();

export async function uses(): Promise<void> {
  await transport.open('demo', { kind: 'approval', toolName: 'Bash', toolCallId: 'c', input: {} });
  // @ts-expect-error An approval names its tool.
  await transport.open('demo', { kind: 'approval', toolCallId: 'c' });
  await transport.reviewPlan('demo', 'c~1', 'clean_edit');
  // @ts-expect-error
  await transport.reviewPlan('demo', 'c~1', 'maybe');
  for await (const said of transport.sendMessage('demo', 'Hello')) said satisfies TurnEvent;
  try {
    await transport.approveTool('demo', 'c');
  } catch (cause) {
    if (cause instanceof ClientError) isTrue<Same<typeof cause.retry, 'never' | 'now' | 'later'>>();
  }
}

export async function opens(): Promise<void> {
  const holdpoint = connect();
  const request = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } } as const;
  const opened = await holdpoint.open(request, { toolCallId: 'any text', waitSeconds: 5 });
  if (opened.status === 'open') isTrue<Same<typeof opened.interaction, Interaction>>();
  else isTrue<Same<typeof opened.outcome, ApprovalOutcome>>();
  const read = await holdpoint.outcome('c~1', request);
  if (read.status === 'settled' && read.outcome.outcome === 'approved') {
    isTrue<Same<typeof read.outcome.isEdited, boolean>>();
    isTrue<Same<typeof read.outcome.changes, string | undefined>>();
  }
  // @ts-expect-error An approval names its tool.
  await holdpoint.open({ kind: 'approval', input: {} });
}
