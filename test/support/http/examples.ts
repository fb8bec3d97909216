/**
 * One valid request for every route, written by hand: the base of every bad request.
 *
 * A route without an example fails the tests, and so does an example without a route. The examples state which fields
 * are optional, which hold any JSON and which accept another type; the schemas cannot, because the tests test them.
 * The file is long because every route has an example here.
 */
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { Json, JsonObject } from '../../../src/protocol/json.ts';
import { ROUTES } from '../../../src/http/routes/index.ts';
import { cliOf, type Opened, QUIET_TARGET, type SampleSession } from './sample-session.ts';

export interface BodyExample {
  readonly body: (sample: SampleSession) => JsonObject;
  /** The kind whose interaction stands for `:iid`. */
  readonly iid?: Opened;
  /** Dotted paths of required fields. */
  readonly required?: readonly string[];
  /** Dotted paths below which any JSON is valid. */
  readonly free?: readonly string[];
  /** Types that are valid besides the type in the body. */
  readonly also?: Readonly<Record<string, readonly JsonType[]>>;
  /** Objects of another program, which may add fields; the body itself is ''. */
  readonly takesMore?: readonly string[];
  /** Bodies of the right types whose values are not valid. */
  readonly nonsense?: readonly JsonObject[];
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export interface Example {
  /** The status of the valid request. */
  readonly status: number;
  readonly query?: string;
  /** Absent: the route takes no body. */
  readonly bodies?: readonly BodyExample[];
  readonly bodyOptional?: boolean;
  /** The route reads any text, and refuses it by what it says. */
  readonly takesText?: boolean;
  /** The body is a file: every text and every JSON is a valid one. */
  readonly takesBytes?: boolean;
  readonly iid?: Opened;
  /** Bad values of query parameters that this route knows. */
  readonly badQueries?: readonly string[];
}

const BAD_COUNTS = ['', '0', '-1', '1001', '1.5', '1e2', 'many', '9'.repeat(30), '%00', '１'];
const BAD_CURSORS = [
  'x',
  '',
  '%00',
  'bm8',
  'W10',
  'bnVsbA',
  '9'.repeat(600),
  '%F0%9F%98%80',
  'e30',
];
const badLimits = BAD_COUNTS.map((value) => `limit=${value}`);
const badLasts = [...BAD_COUNTS.map((value) => `last=${value}`), 'after=1&last=1'];
const badAfters = ['', '-1', '1.5', '0x1', 'last', '9'.repeat(30)].map((value) => `after=${value}`);
const cursorsAt = (name: string) => BAD_CURSORS.map((value) => `${name}=${value}`);
const encoded = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');

const LONG = 'x'.repeat(70_000);

const toolResult: BodyExample = {
  body: () => ({ output: 'A picture', isError: false }),
  required: ['output'],
};

const ANY_TYPE: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** It ends at once: other interactions stay open. */
const aguiRun: BodyExample = {
  body: ({ session, open }) => ({
    threadId: session,
    runId: 'run-1',
    messages: [{ id: 'holdpoint-3', role: 'user', content: 'Go on' }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
    resume: [
      {
        interruptId: open.approval.id,
        status: 'resolved',
        payload: { approved: true, reason: 'ok' },
      },
    ],
  }),
  required: [
    'threadId',
    'runId',
    'messages.0.id',
    'messages.0.role',
    'resume.0.interruptId',
    'resume.0.status',
    'resume.0.payload',
  ],
  free: ['state', 'forwardedProps', 'messages.0.content'],
  also: { state: ANY_TYPE, forwardedProps: ANY_TYPE, 'messages.0.content': ANY_TYPE },
  takesMore: ['', 'messages.0', 'resume.0'],
  nonsense: [
    { threadId: 'another', runId: 'run-1' },
    { threadId: '..', runId: 'run-1' },
  ],
};

/** It receives nothing: no session has such an id. */
const targetMade: BodyExample = {
  body: () => ({ ...QUIET_TARGET, audience: 'Ops' }),
  required: ['type', 'url'],
  nonsense: [
    { ...QUIET_TARGET, type: 'pigeon' },
    { ...QUIET_TARGET, url: 'nowhere' },
    { ...QUIET_TARGET, url: 'http://hooks.example.com/' },
    { ...QUIET_TARGET, url: 'https://127.0.0.1/' },
    { ...QUIET_TARGET, url: `https://hooks.example.com/${LONG}` },
    { ...QUIET_TARGET, events: [] },
    { ...QUIET_TARGET, events: ['interaction.eaten'] },
    { ...QUIET_TARGET, filter: { kinds: ['No Kind'] } },
    { ...QUIET_TARGET, filter: { sessions: 'a/b' } },
    { ...QUIET_TARGET, filter: { labels: { Env: 'x' } } },
    { ...QUIET_TARGET, name: 'tgt_1' },
    { ...QUIET_TARGET, audience: 'admin' },
  ],
};

/** The keys are those of no device, so that a notification is never sent. */
const SUBSCRIPTION = {
  endpoint: 'https://push.example.com/one',
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
} as const;

const deviceMade: BodyExample = {
  body: () => ({ name: 'Phone', subscription: SUBSCRIPTION }),
  required: [
    'name',
    'subscription',
    'subscription.endpoint',
    'subscription.keys',
    'subscription.keys.p256dh',
    'subscription.keys.auth',
  ],
  nonsense: [
    { name: '', subscription: SUBSCRIPTION },
    { name: 'Phone', subscription: { ...SUBSCRIPTION, endpoint: 'nowhere' } },
    { name: 'Phone', subscription: { ...SUBSCRIPTION, endpoint: 'http://push.example.com/one' } },
    { name: 'Phone', subscription: { ...SUBSCRIPTION, endpoint: 'https://192.168.0.1/one' } },
    { name: 'Phone', subscription: { ...SUBSCRIPTION, endpoint: `https://a.example/${LONG}` } },
    { name: 'Phone', subscription: { ...SUBSCRIPTION, keys: { p256dh: 'x', auth: 'x' } } },
  ],
};

const { type: _type, ...QUIET_CHANGES } = QUIET_TARGET;

const targetChanged: BodyExample = {
  body: () => ({ ...QUIET_CHANGES, audience: 'Ops', enabled: true }),
  also: { name: ['null'], filter: ['null'], audience: ['null'] },
  nonsense: [{}, { url: 'http://10.0.0.1/' }, { events: ['*', 'x'] }, { audience: '' }],
};

const hooked: BodyExample = {
  body: ({ session }) => ({
    session_id: cliOf(session).cliSessionId,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: 'call-hook',
    tool_input: { command: 'true' },
  }),
  required: ['session_id', 'hook_event_name', 'tool_name', 'tool_use_id', 'tool_input'],
  free: ['tool_input'],
  takesMore: [''],
  nonsense: [
    { session_id: 'a b', hook_event_name: 'Stop' },
    { session_id: '..', hook_event_name: 'Stop' },
    { session_id: 'x'.repeat(201), hook_event_name: 'Stop' },
    { session_id: 'one', hook_event_name: '' },
    { session_id: 'one', hook_event_name: 'PreToolUse' },
    { session_id: 'one', hook_event_name: 'PermissionRequest', tool_name: 'Bash' },
    { session_id: 'one', hook_event_name: 'Elicitation' },
  ],
};

const imported: BodyExample = {
  body: ({ session }) => ({
    ...cliOf(session),
    from: 0,
    prefixDigest: '',
    entries: [
      {
        id: 'line-1',
        at: 1_700_000_000_000,
        turnId: 'turn-1',
        responseId: 'response-1',
        type: 'assistant_text',
        payload: { text: 'On it.' },
      },
    ],
  }),
  required: ['provider', 'cliSessionId', 'from', 'prefixDigest', 'entries'],
  nonsense: [
    { provider: 'codex', cliSessionId: 'one', from: -1, prefixDigest: '', entries: [] },
    { provider: 'codex', cliSessionId: 'one', from: 0, prefixDigest: 'x', entries: [] },
    { provider: 'codex', cliSessionId: 'one', from: 0, prefixDigest: '', entries: [{}] },
  ],
};

const approvalAsked: BodyExample = {
  body: () => ({
    kind: 'approval',
    toolCallId: 'call-new',
    toolName: 'Bash',
    input: { command: 'true' },
    description: 'Look',
    allowEdit: true,
    inputSchema: { type: 'object' },
    offers: ['once'],
    turnId: 'turn-1',
    responseId: 'response-1',
    timeoutSeconds: 60,
    onExpire: 'deny',
    remindAfter: 10,
    audience: { subjects: ['Ada'], groups: ['ops'], targets: ['pager'] },
    escalateAfter: 20,
    escalateTo: { groups: ['leads'] },
    detached: true,
    reopen: false,
    errorSummary: 'Again',
    fieldErrors: { command: 'No' },
  }),
  required: ['kind', 'toolName', 'input'],
  free: ['input', 'inputSchema'],
  also: { timeoutSeconds: ['null'] },
  nonsense: [
    { kind: 'no_such_kind', toolName: 'Bash', input: {} },
    { kind: 'approval', toolName: '', input: {} },
    { kind: 'approval', toolName: 'Bash', input: {}, toolCallId: 'a/b' },
    { kind: 'approval', toolName: 'Bash', input: {}, toolCallId: LONG },
    { kind: 'approval', toolName: 'Bash', input: {}, timeoutSeconds: 0 },
    { kind: 'approval', toolName: 'Bash', input: {}, timeoutSeconds: 1.9999 },
    { kind: 'approval', toolName: 'Bash', input: {}, remindAfter: 30.5 },
    { kind: 'approval', toolName: 'Bash', input: {}, escalateAfter: 30.5 },
    { kind: 'approval', toolName: 'Bash', input: {}, timeoutSeconds: 1e12 },
    { kind: 'approval', toolName: 'Bash', input: {}, remindAfter: -1 },
    { kind: 'approval', toolName: 'Bash', input: {}, timeoutSeconds: 5, remindAfter: 5 },
    { kind: 'approval', toolName: 'Bash', input: {}, audience: {} },
    { kind: 'approval', toolName: 'Bash', input: {}, audience: { groups: ['Ops'] } },
    { kind: 'approval', toolName: 'Bash', input: {}, escalateTo: { subjects: ['Ada'] } },
    { kind: 'approval', toolName: 'Bash', input: {}, offers: [] },
    { kind: 'approval', toolName: 'Bash', input: {}, offers: ['always'] },
    { kind: 'approval', toolName: 'Bash', input: {}, onExpire: 'approve' },
    {
      kind: 'approval',
      toolName: 'Bash',
      input: {},
      onExpire: { answer: { decision: 'approve' } },
    },
  ],
};

const questionAsked: BodyExample = {
  body: () => ({
    kind: 'question',
    toolCallId: 'call-new',
    toolName: 'AskUserQuestion',
    questions: [
      {
        header: 'Color',
        question: 'Which?',
        options: [{ label: 'Red', description: 'Warm', preview: '#f00' }, { label: 'Blue' }],
        multiSelect: false,
      },
    ],
    onExpire: { answer: { answers: { '0': 'Red' } } },
  }),
  required: [
    'questions',
    'questions.0.question',
    'questions.0.options.0.label',
    'onExpire.answer',
    'onExpire.answer.answers',
    'onExpire.answer.answers.0',
  ],
  // An option may be its label alone.
  also: { 'questions.0.options.0': ['string'], 'questions.0.options.1': ['string'] },
  nonsense: [
    { kind: 'question', toolName: 'Ask', questions: [] },
    { kind: 'question', toolName: 'Ask', questions: [{ question: 'B', multiSelect: true }] },
    {
      kind: 'question',
      toolName: 'Ask',
      questions: [
        { question: 'B', options: Array.from({ length: 13 }, (_, at) => ({ label: `${at}` })) },
      ],
    },
    {
      kind: 'question',
      toolName: 'Ask',
      questions: [{ header: 'A', question: 'B', options: [{ label: 'x' }, { label: 'x' }] }],
    },
    {
      kind: 'question',
      toolName: 'Ask',
      questions: [
        {
          header: 'Far too long a chip'.repeat(3),
          question: 'B',
          options: [{ label: 'x' }, { label: 'y' }],
        },
      ],
    },
  ],
};

const planAsked: BodyExample = {
  body: () => ({ kind: 'plan_review', toolCallId: 'call-new', toolName: 'Exit', plan: 'Go' }),
  required: ['kind', 'toolName'],
};

const linkAsked: BodyExample = {
  body: () => ({
    kind: 'link',
    toolCallId: 'call-new',
    toolName: 'mcp__drive',
    url: 'https://id.example.com/device',
    message: 'Sign in',
    title: 'Drive',
    elicitationId: 'e-1',
    awaitCompletion: true,
  }),
  required: ['url', 'message'],
  nonsense: ['javascript:alert(1)', 'http://example.com', 'https://a@b.example', ''].map((url) => ({
    kind: 'link',
    toolName: 'mcp__drive',
    message: 'Sign in',
    url,
  })),
};

const formAsked: BodyExample = {
  body: () => ({
    kind: 'form',
    toolCallId: 'call-new',
    toolName: 'collect',
    title: 'Where',
    description: 'To',
    schema: {
      type: 'object',
      properties: {
        host: { type: 'string', title: 'Host', minLength: 1, pattern: '^[a-z]+$' },
        port: { type: 'integer', minimum: 1, maximum: 9 },
        fast: { type: 'boolean', default: true },
        size: { type: 'string', enum: ['S', 'L'] },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
      },
      required: ['host'],
    },
  }),
  required: ['schema', 'schema.type', 'schema.properties', 'schema.properties.host.type'],
  // Programs that make schemas write null for a keyword without a value.
  also: Object.fromEntries(
    [
      'required',
      'properties.host.title',
      'properties.host.minLength',
      'properties.host.pattern',
      'properties.port.minimum',
      'properties.port.maximum',
      'properties.fast.default',
      'properties.size.enum',
      'properties.tags.items.type',
      'properties.tags.minItems',
    ].map((keyword) => [`schema.${keyword}`, ['null' as const]]),
  ),
  nonsense: ['(', '(a+)+$'.repeat(200), '\\p{Nope}'].map((pattern) => ({
    kind: 'form',
    toolName: 'collect',
    schema: { type: 'object', properties: { text: { type: 'string', pattern } } },
  })),
};

const answerBodies: readonly BodyExample[] = [
  {
    iid: 'approval',
    body: (sample) => ({
      decision: 'approve',
      offer: 'session',
      exact: true,
      updatedInput: { command: 'ls' },
      inputDigest: sample.open.approval.inputDigest,
    }),
    required: ['decision'],
    free: ['updatedInput'],
    nonsense: [
      { decision: 'perhaps' },
      { decision: 'approve', offer: 'forever' },
      { decision: 'deny', updatedInput: {} },
      { decision: 'approve', exact: true },
      { decision: 'deny', reason: LONG },
      { answers: { '0': 'Red' } },
    ],
  },
  {
    iid: 'question',
    body: () => ({ answers: { '0': 'Red', '1': ['S', 'L'] } }),
    required: ['answers', 'answers.0', 'answers.1'],
    also: { 'answers.1': ['string'], 'answers.0': ['array'] },
    nonsense: [
      { answers: {} },
      { answers: { '0': ' ', '1': ['S'] } },
      { answers: { '0': 'Red', '1': [] } },
      { answers: { '0': 'Red', '1': [''] } },
      { answers: { '00': 'Red', '1': ['S'] } },
      { answers: { '0': 'Red', '1': ['S'], '2': 'more' } },
      { question: 9, option: 0 },
      { question: 0, option: 3 },
      { question: 0, option: -1 },
      { question: 0, options: [] },
      { question: 0, text: '' },
      { decision: 'approve' },
    ],
  },
  {
    iid: 'question',
    body: () => ({ question: 0, option: 1 }),
    required: ['question', 'option'],
  },
  { iid: 'question', body: () => ({ question: 0, text: 'Mauve' }), required: ['question', 'text'] },
  { iid: 'question', body: () => ({ decline: true, reason: 'No' }), required: ['decline'] },
  {
    iid: 'plan',
    body: (sample) => ({
      decision: 'adjust',
      feedback: 'Shorter',
      inputDigest: sample.open.plan.inputDigest,
    }),
    required: ['decision'],
    nonsense: [{ decision: 'approve' }, { decision: 'adjust', feedback: LONG }],
  },
  {
    iid: 'form',
    body: () => ({ values: { host: 'a', port: 1 } }),
    required: ['values', 'values.host', 'values.port'],
    nonsense: [
      { values: { host: 'a', port: 0 } },
      { values: { host: 'a', port: 1.5 } },
      { values: { host: 'a', port: 65_536 } },
    ],
  },
];

const appended: readonly BodyExample[] = [
  {
    body: () => ({
      events: [
        { type: 'turn_started', turnId: 'turn-1', responseId: 'r', payload: { title: 'Go' } },
      ],
    }),
    required: ['events', 'events.0', 'events.0.type'],
    nonsense: [
      { events: [] },
      { events: [{ type: 'user_message', payload: { text: 'Hi', subject: 'me' } }] },
      { events: [{ type: 'session_updated', payload: { permissionMode: 'bypassPermissions' } }] },
      { events: [{ type: 'turn_started', turnId: 'a b' }] },
      { events: [{ type: 'turn_started', seq: 1 }] },
      { events: [{ type: 'turn_started', at: 1 }] },
    ],
  },
  {
    body: () => ({
      events: [
        {
          type: 'tool_call',
          toolCallId: 'call-9',
          payload: { toolName: 'Bash', input: { command: 'ls' } },
        },
        { type: 'tool_result', toolCallId: 'call-9', payload: { output: 'ok', isError: false } },
      ],
    }),
    required: [
      'events.0.toolCallId',
      'events.0.payload',
      'events.0.payload.toolName',
      'events.0.payload.input',
      'events.1.toolCallId',
      'events.1.payload',
    ],
    free: ['events.0.payload.input'],
    also: {
      'events.1.payload.output': ['null', 'boolean', 'number', 'string', 'array', 'object'],
    },
  },
  {
    body: () => ({
      events: [
        { type: 'assistant_text', payload: { text: 'Hello' } },
        { type: 'thinking', payload: { text: 'Hm' } },
        { type: 'error', payload: { message: 'Oops', code: 'bad' } },
        { type: 'turn_ended', payload: { reason: 'error', message: 'Over' } },
      ],
    }),
    required: [
      'events.0.payload',
      'events.0.payload.text',
      'events.1.payload.text',
      'events.2.payload.message',
    ],
  },
];

const submitAnswers: Example = {
  status: 200,
  bodies: [
    {
      body: () => ({ toolCallId: 'call-question', answers: { '0': 'Red', '1': ['S'] } }),
      required: ['toolCallId', 'answers', 'answers.0', 'answers.1'],
      also: { 'answers.1': ['string'], 'answers.0': ['array'] },
      nonsense: [
        { toolCallId: 'call-question', answers: {} },
        { toolCallId: 'call-approval', answers: { '0': 'Red' } },
        { toolCallId: 'nobody', answers: { '0': 'Red' } },
      ],
    },
  ],
};
const approve: Example = {
  status: 200,
  bodies: [
    {
      body: () => ({ toolCallId: 'call-approval' }),
      required: ['toolCallId'],
      nonsense: [{ toolCallId: 'call-question' }, { toolCallId: 'nobody' }],
    },
  ],
};
const deny: Example = {
  status: 200,
  bodies: [
    {
      body: () => ({ toolCallId: 'call-approval', reason: 'No' }),
      required: ['toolCallId'],
      nonsense: [{ toolCallId: 'call-approval', reason: LONG }],
    },
  ],
};

const reason: BodyExample = {
  iid: 'approval',
  body: () => ({ reason: 'Enough' }),
  nonsense: [{ reason: LONG }],
};

const minted: BodyExample = {
  body: () => ({ scopes: ['read'], subject: 'ada', ttlSeconds: 60 }),
  required: ['scopes'],
  nonsense: [
    { scopes: [] },
    { scopes: ['root'] },
    { scopes: ['read', 'read', 'read', 'read', 'read', 'read'] },
    { scopes: ['read'], subject: '' },
    { scopes: ['read'], ttlSeconds: 0 },
    { scopes: ['read'], ttlSeconds: 1.5 },
    { scopes: ['read'], ttlSeconds: 1e12 },
  ],
};

/** Matches no request of a sample session. */
const AUDIENCE_RULE = {
  tools: ['Launch'],
  kinds: ['approval'],
  sessions: 'rocket-',
  labels: { env: 'production' },
  audience: { subjects: ['Ada'], groups: ['ops'], targets: ['pager'] },
  override: true,
  remindAfter: 60,
};

const group: BodyExample = {
  body: () => ({ subjects: ['Ada', 'Ben'] }),
  required: ['subjects'],
  nonsense: [{ subjects: 'Ada' }, { subjects: ['admin'] }, { subjects: ['Ada\u200b'] }],
};

/** About no call of a sample session. */
const rule: BodyExample = {
  body: () => ({
    effect: 'deny',
    toolName: 'Launch',
    command: 'launch now',
    expiresAt: Date.UTC(2100, 0, 1),
    reason: 'Not on Fridays',
  }),
  required: ['effect', 'toolName'],
  nonsense: [
    { effect: 'maybe', toolName: 'Launch' },
    { effect: 'deny', toolName: 'Launch*' },
    { effect: 'allow', toolName: 'Bash' },
    { effect: 'deny', toolName: 'Launch', command: 'a && b' },
    { effect: 'deny', toolName: 'Launch', path: '../a' },
    { effect: 'deny', toolName: 'Launch', host: '127.0.0.1' },
    { effect: 'deny', toolName: 'Launch', path: 'a', host: 'example.org' },
    { effect: 'deny', toolName: 'Launch', expiresAt: 1 },
    { effect: 'deny', toolName: 'Launch', input: 'text' },
  ],
};

const quietHours: BodyExample = {
  body: () => ({ from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }),
  required: ['from', 'to', 'timeZone'],
  nonsense: [
    { from: '24:00', to: '07:00', timeZone: 'UTC' },
    { from: '7:00', to: '08:00', timeZone: 'UTC' },
    { from: '22:00', to: '22:00', timeZone: 'UTC' },
    { from: '22:00', to: '07:00', timeZone: 'Europe/Atlantis' },
    { from: '22:00', to: '07:00', timeZone: '+02:00' },
  ],
};

const settings: BodyExample = {
  body: () => ({ timeouts: { approval: 600 }, audiences: [AUDIENCE_RULE] }),
  required: ['timeouts'],
  also: { 'timeouts.approval': ['null'] },
  nonsense: [
    { timeouts: { approval: 0 } },
    { timeouts: { 'No Kind': 5 } },
    { timeouts: {}, audiences: [{}] },
    { timeouts: {}, audiences: [{ audience: {} }] },
    { timeouts: {}, audiences: [{ ...AUDIENCE_RULE, escalateTo: { groups: ['ops'] } }] },
  ],
};

const sessionSettings: BodyExample = {
  body: () => ({
    title: 'Name',
    permissionMode: 'plan',
    timeouts: { approval: 60 },
    metadata: { team: 'core', count: 1, isOn: true },
    labels: { env: 'production' },
  }),
  also: {
    'timeouts.approval': ['null'],
    'metadata.team': ['null', 'boolean', 'number', 'string'],
    'metadata.count': ['null', 'boolean', 'number', 'string'],
    'metadata.isOn': ['null', 'boolean', 'number', 'string'],
  },
  nonsense: [
    { title: '' },
    { title: LONG },
    { permissionMode: 'root' },
    { metadata: { long: LONG } },
    { timeouts: { approval: 0.5 } },
    { timeouts: { approval: 600.5 } },
  ],
};

const badAuditFilters = ['who=', 'what=nothing', 'outcome=maybe', 'from=now', 'to=-1', 'text='];

let workspacesMade = 0;

export const EXAMPLES: Readonly<Record<string, Example>> = {
  'POST /v1/sessions': {
    status: 201,
    bodyOptional: true,
    bodies: [
      {
        ...sessionSettings,
        body: (sample) => ({ id: sample.unused, ...sessionSettings.body(sample) }),
        nonsense: [
          ...(sessionSettings.nonsense ?? []),
          { id: '' },
          { id: '../x' },
          { id: '.x' },
          { id: LONG },
        ],
      },
    ],
  },
  'GET /v1/sessions': {
    status: 200,
    query: 'limit=2',
    badQueries: [
      ...badLimits,
      ...cursorsAt('before'),
      'order=title',
      'archived=1',
      'pinned=false',
      'q=',
      `q=${'x'.repeat(LIMITS.searchChars + 1)}`,
      'order=created&q=x',
    ],
  },
  'GET /v1/sessions/:id': { status: 200 },
  'PATCH /v1/sessions/:id': {
    status: 200,
    bodies: [{ ...sessionSettings, nonsense: [...(sessionSettings.nonsense ?? []), {}] }],
  },
  'DELETE /v1/sessions/:id': { status: 204 },
  'POST /v1/sessions/:id/clear': { status: 200 },
  'POST /v1/sessions/:id/interrupt': { status: 200 },
  'GET /v1/sessions/:id/agent': { status: 200 },
  'GET /v1/sessions/:id/rules': { status: 200 },
  'POST /v1/sessions/:id/rules': { status: 201, bodies: [rule] },
  'DELETE /v1/sessions/:id/rules/:ruleId': { status: 200 },
  'GET /v1/sessions/:id/search': {
    status: 200,
    query: 'q=ls',
    badQueries: [
      'q=',
      'q=%20',
      `q=${'x'.repeat(LIMITS.searchChars + 1)}`,
      ...['', '-1', '1.5', 'last'].map((value) => `q=x&before=${value}`),
      ...badLimits.map((value) => `q=x&${value}`),
    ],
  },
  'GET /v1/sessions/:id/files': {
    status: 200,
    badQueries: ['path=', `path=${'x'.repeat(501)}`],
  },
  // The sample session has no built-in agent; tests of such sessions cover these routes.
  'POST /v1/sessions/:id/tool-calls/:toolCallId/result': {
    status: 404,
    bodies: [toolResult],
  },
  'POST /v1/sessions/:id/retry': { status: 409 },
  'POST /v1/sessions/:id/conversation/restore': {
    status: 409,
    bodies: [{ body: () => ({ seq: 1 }), required: ['seq'], nonsense: [{ seq: 0 }, { seq: 1.5 }] }],
  },
  'DELETE /v1/sessions/:id/queued/:messageId': { status: 200 },
  'POST /v1/sessions/:id/interactions': {
    status: 201,
    bodies: [approvalAsked, questionAsked, planAsked, formAsked, linkAsked],
  },
  'POST /v1/sessions/:id/interactions/batch': {
    status: 200,
    bodies: [
      {
        body: (sample) => ({
          requests: [approvalAsked, questionAsked].map(({ body }, at) => ({
            ...body(sample),
            toolCallId: `call-new-${at}`,
          })),
        }),
        required: ['requests'],
        // What a request lacks is a result of its own.
        free: ['requests.0', 'requests.1'],
        nonsense: [
          { requests: [] },
          { requests: Array.from({ length: 65 }, () => ({ kind: 'approval' })) },
        ],
      },
    ],
  },
  'GET /v1/sessions/:id/interactions': {
    status: 200,
    query: 'status=settled&limit=1',
    badQueries: [
      ...badLimits,
      ...cursorsAt('status=settled&before'),
      ...[
        { settledAt: 1, interactionId: '' },
        { settledAt: 1, interactionId: 'nothing' },
        { settledAt: 1, interactionId: '\ud800~1' },
        { settledAt: 1, interactionId: 'a~0' },
        { settledAt: '1', interactionId: 'a~1' },
        { settledAt: 1, interactionId: 'a~1', more: 1 },
      ].map((cursor) => `status=settled&before=${encoded(cursor)}`),
      'status=',
      'status=everything',
    ],
  },
  'GET /v1/sessions/:id/interactions/:iid': {
    status: 200,
    iid: 'approval',
    badQueries: [
      ...['', '-1', '1.5', 'long', '9'.repeat(30)].map((value) => `wait=${value}`),
      'toolCallId=no%20id',
    ],
  },
  'GET /v1/sessions/:id/interactions/:iid/input': { status: 200, iid: 'approval' },
  'POST /v1/sessions/:id/interactions/:iid/answer': { status: 200, bodies: answerBodies },
  'DELETE /v1/sessions/:id/interactions/:iid': {
    status: 200,
    bodyOptional: true,
    bodies: [reason],
  },
  'POST /v1/sessions/:id/interactions/cancel': {
    status: 200,
    bodyOptional: true,
    bodies: [reason],
  },
  'POST /v1/sessions/:id/interactions/decide': {
    status: 200,
    bodies: [
      {
        body: (sample) => ({
          decisions: [
            { interactionId: sample.open.approval.id, answer: { decision: 'approve' } },
            { toolCallId: 'call-plan', answer: { decision: 'edit' } },
          ],
        }),
        required: [
          'decisions',
          'decisions.0.interactionId',
          'decisions.0.answer',
          'decisions.1.toolCallId',
          'decisions.1.answer',
        ],
        free: ['decisions.0.answer', 'decisions.1.answer'],
        nonsense: [
          { decisions: [] },
          { decisions: [{ interactionId: 'x', answer: {} }] },
          { decisions: [{ interactionId: 'a~1', toolCallId: 'a', answer: {} }] },
          { decisions: Array.from({ length: 101 }, () => ({ toolCallId: 'a', answer: {} })) },
        ],
      },
    ],
  },
  // An approval is not completed; `test/core/kinds/link.test.ts` has the links.
  'POST /v1/sessions/:id/interactions/:iid/complete': { status: 422, iid: 'approval' },
  // Of an open one; `test/client/agent-killed.test.ts` has the outcomes.
  'POST /v1/sessions/:id/interactions/:iid/acknowledge': {
    status: 409,
    iid: 'approval',
    bodies: [
      {
        body: () => ({ toolCallId: 'call-1' }),
        required: ['toolCallId'],
        nonsense: [{ toolCallId: 'no id' }, { toolCallId: '' }],
      },
    ],
  },
  'POST /v1/sessions/:id/interactions/:iid/extend': {
    status: 200,
    iid: 'approval',
  },
  'POST /v1/sessions/:id/interactions/:iid/claim': {
    status: 200,
    iid: 'approval',
    bodies: [{ body: () => ({}), nonsense: [{ release: false }, { until: 1 }] }],
    bodyOptional: true,
  },
  'POST /v1/sessions/:id/interactions/:iid/handover': {
    status: 200,
    iid: 'approval',
    bodies: [
      {
        body: () => ({ audience: { subjects: ['bob'] }, note: 'Yours' }),
        required: ['audience'],
        nonsense: [
          { audience: {} },
          { audience: 'bob' },
          { audience: { subjects: ['b'] }, note: '' },
        ],
      },
    ],
  },
  // Of a request that one person decides; `test/server/quorum.test.ts` has the others.
  'POST /v1/sessions/:id/interactions/:iid/withdraw': {
    status: 409,
    iid: 'approval',
  },
  // Of an open one; `test/server/undo.test.ts` has the others.
  'POST /v1/sessions/:id/interactions/:iid/undo': {
    status: 409,
    iid: 'approval',
  },
  'POST /v1/sessions/:id/interactions/:iid/links': {
    status: 201,
    bodies: [
      {
        body: () => ({ subject: 'mia', answers: ['deny', 'approve'], ttlSeconds: 600 }),
        required: ['subject'],
        iid: 'approval',
        nonsense: [
          { subject: 'admin' },
          { subject: '' },
          { subject: 'mia', answers: [] },
          { subject: 'mia', answers: ['submit'] },
          { subject: 'mia', answers: ['everything'] },
          { subject: 'mia', ttlSeconds: 0 },
          { subject: 'mia', ttlSeconds: 1.5 },
          { subject: 'mia', ttlSeconds: 31_536_001 },
        ],
      },
    ],
  },
  'POST /v1/sessions/:id/submit-answers': submitAnswers,
  'POST /v1/sessions/:id/approve': approve,
  'POST /v1/sessions/:id/deny': deny,
  'POST /api/sessions/:id/submit-answers': submitAnswers,
  'POST /api/sessions/:id/approve': approve,
  'POST /api/sessions/:id/deny': deny,
  'GET /v1/sessions/:id/events': {
    status: 200,
    query: 'after=0&limit=1',
    badQueries: [...badLimits, ...badAfters, ...badLasts, 'after=999999'],
  },
  'POST /v1/sessions/:id/events': { status: 201, bodies: appended },
  'GET /v1/sessions/:id/agui': {
    status: 200,
    query: 'after=0&limit=1',
    badQueries: [...badLimits, ...badAfters, 'after=999999'],
  },
  'POST /v1/sessions/:id/agui': { status: 200, bodies: [aguiRun] },
  'POST /v1/sessions/:id/tool-calls': {
    status: 201,
    bodies: [
      {
        body: ({ unused }) => ({
          toolCallId: unused,
          toolName: 'Bash',
          input: { command: 'ls' },
          turnId: 'turn-1',
          responseId: 'r',
        }),
        required: ['toolCallId', 'toolName', 'input'],
        free: ['input'],
        nonsense: [
          { toolCallId: 'a b', toolName: 'Bash', input: {} },
          { toolCallId: 'call-8', toolName: '', input: {} },
          { toolCallId: 'call-8', toolName: 'Bash', input: [] },
          { toolCallId: 'call-8', toolName: 'Bash', input: {}, decided: { behavior: 'allow' } },
        ],
      },
    ],
  },
  'PUT /v1/sessions/:id/cli': {
    status: 200,
    bodies: [
      {
        body: (sample) => ({ ...cliOf(sample.session), cwd: '/home/mia', model: 'opus' }),
        required: ['provider', 'cliSessionId'],
        nonsense: [
          { provider: 'Claude Code', cliSessionId: 'one' },
          { provider: '', cliSessionId: 'one' },
          { provider: 'codex', cliSessionId: '' },
          { provider: 'codex', cliSessionId: '..' },
          { provider: 'codex', cliSessionId: 'a b' },
          { provider: 'codex', cliSessionId: 'x'.repeat(201) },
          { provider: 'codex', cliSessionId: 'one', cwd: 'x'.repeat(1_001) },
        ],
      },
    ],
  },
  'GET /v1/cli-sessions/:provider/:cliSessionId': { status: 200 },
  'POST /v1/hooks/claude-code': {
    status: 200,
    // Held for a second: no person answers.
    query: 'wait=1',
    badQueries: [
      ...['', '0', '-1', '1.5', '86401', 'long'].map((value) => `wait=${value}`),
      ...['0', 'true', ''].map((value) => `defer=${value}`),
    ],
    bodies: [hooked],
  },
  'POST /v1/sessions/:id/history': { status: 200, bodies: [imported] },
  'GET /v1/sessions/:id/history': {
    status: 200,
    query: 'limit=1',
    badQueries: [...badLimits, ...cursorsAt('after')],
  },
  'GET /v1/sessions/:id/socket': { status: 426, badQueries: [...badAfters, ...badLasts] },
  'GET /v1/sessions/:id/export': { status: 200 },
  'POST /v1/sessions/:id/messages': {
    status: 202,
    bodies: [
      {
        body: (sample) => ({ text: 'Red', replyTo: sample.open.question.id }),
        required: ['text'],
        nonsense: [
          { text: '' },
          { text: ' \n' },
          { text: LONG },
          { text: 'Red', replyTo: 'nobody' },
          { text: 'Red', replyTo: 'nobody~1' },
          { text: 'Red', attachments: ['file.png'] },
          { text: 'Red', attachments: [`att_${'0'.repeat(32)}`] },
          { text: 'to whom?' },
        ],
      },
    ],
  },
  'POST /v1/sessions/:id/attachments': {
    status: 201,
    query: 'name=steps.json',
    takesBytes: true,
    bodies: [{ body: () => ({ steps: ['look', 'leap'] }) }],
    badQueries: [
      '',
      'a.txt',
      '..',
      '.',
      '%20',
      'a%0Ab',
      'a%2Fb',
      'a%5Cb',
      '%E2%80%AEgnp.exe',
      LONG,
    ].map((name) => `name=${name}`.replace('name=a.txt', 'nam=a.txt')),
  },
  'GET /v1/sessions/:id/attachments/:attachmentId': { status: 200 },
  'POST /v1/sessions/:id/tokens': { status: 201, bodies: [minted] },
  'POST /v1/tokens': { status: 201, bodies: [minted] },
  'GET /v1/tokens': {
    status: 200,
    query: 'limit=1',
    badQueries: [...badLimits, ...cursorsAt('before')],
  },
  'DELETE /v1/tokens/:tokenId': { status: 204 },
  'POST /v1/keys': {
    status: 201,
    bodies: [
      {
        body: () => ({ name: 'CI', scopes: ['agent'], expiresAt: 4_000_000_000_000 }),
        required: ['name', 'scopes'],
        nonsense: [
          { name: '', scopes: ['read'] },
          { name: LONG, scopes: ['read'] },
          { name: 'CI', scopes: [] },
          { name: 'CI', scopes: ['everything'] },
          { name: 'CI', scopes: ['read'], expiresAt: 1 },
          { name: 'CI', scopes: ['read'], expiresAt: -1 },
          { name: 'CI', scopes: ['read'], expiresAt: 1.5 },
        ],
      },
    ],
  },
  'GET /v1/keys': { status: 200 },
  'DELETE /v1/keys/:keyId': { status: 204 },
  'GET /v1/inbox': {
    status: 200,
    query: 'limit=1',
    badQueries: [
      ...badLimits,
      ...cursorsAt('after'),
      'risk=none',
      'for=you',
      'session=.',
      `find=${'x'.repeat(201)}`,
    ],
  },
  'POST /v1/inbox/decide': {
    status: 200,
    bodies: [
      {
        body: (sample) => ({
          decisions: [
            {
              sessionId: sample.session,
              interactionId: sample.open.approval.id,
              answer: { decision: 'approve' },
            },
          ],
        }),
        required: [
          'decisions',
          'decisions.0.sessionId',
          'decisions.0.interactionId',
          'decisions.0.answer',
        ],
        free: ['decisions.0.answer'],
        nonsense: [{ decisions: [] }],
      },
    ],
  },
  'GET /v1/decisions': {
    status: 200,
    query: 'limit=1',
    badQueries: [...badLimits, ...cursorsAt('before'), 'of=you'],
  },
  'GET /v1/inbox/socket': { status: 426 },
  'GET /v1/audit': {
    status: 200,
    query: 'limit=1&who=ada&what=key&outcome=approved&from=1&to=4000000000000&text=a',
    badQueries: [...badLimits, ...cursorsAt('before'), ...badAuditFilters],
  },
  'GET /v1/status': { status: 200 },
  'POST /v1/retention/preview': {
    status: 200,
    bodies: [
      {
        body: () => ({ days: 30, exportFirst: true, keepLabels: ['keep'] }),
        required: ['days'],
        nonsense: [{ days: 0 }, { days: 3_651 }, { days: 1.5 }, { days: 1, keepLabels: [''] }],
      },
    ],
  },
  'GET /v1/workspaces': { status: 200 },
  'POST /v1/workspaces': {
    status: 201,
    bodies: [
      {
        body: () => ({ name: `team-${(workspacesMade += 1)}`, title: 'Team' }),
        required: ['name'],
        nonsense: [{ name: '' }, { name: 'A' }, { name: 'a/b' }, { name: 'a', title: '' }],
      },
    ],
  },
  'PATCH /v1/workspaces/:name': {
    status: 200,
    bodies: [{ body: () => ({ title: 'Team' }), required: ['title'], nonsense: [{ title: '' }] }],
  },
  'POST /v1/workspaces/:name/keys': {
    status: 201,
    bodies: [
      {
        body: () => ({ name: 'CI', scopes: ['agent'] }),
        required: ['name', 'scopes'],
        nonsense: [
          { name: 'CI', scopes: [] },
          { name: 'CI', scopes: ['agent'], expiresAt: 1 },
        ],
      },
    ],
  },
  'GET /v1/audit/export': {
    status: 200,
    query: 'format=csv&who=ada',
    badQueries: ['format=xml', 'limit=1', ...badAuditFilters],
  },
  'GET /v1/tools/secret': { status: 200 },
  'POST /v1/targets': { status: 201, bodies: [targetMade] },
  'GET /v1/targets': { status: 200 },
  'GET /v1/targets/:targetId': { status: 200 },
  'PATCH /v1/targets/:targetId': { status: 200, bodies: [targetChanged] },
  'DELETE /v1/targets/:targetId': { status: 204 },
  'POST /v1/targets/:targetId/test': { status: 200 },
  'POST /v1/targets/:targetId/rotate': { status: 200 },
  'GET /v1/targets/:targetId/deliveries': {
    status: 200,
    query: 'limit=1',
    badQueries: [...badLimits, ...cursorsAt('before')],
  },
  'POST /v1/targets/:targetId/deliveries/redeliver': {
    status: 200,
    bodies: [
      {
        body: () => ({ since: 1 }),
        required: ['since'],
        nonsense: [{ since: -1 }, { since: 1.5 }, { since: 'yesterday' }],
      },
    ],
  },
  'POST /v1/targets/:targetId/deliveries/:deliveryId/redeliver': { status: 404 },
  // The tests of the tools have calls that a client would make.
  'POST /mcp': {
    status: 200,
    bodies: [
      {
        body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
        required: ['jsonrpc', 'method'],
        free: ['params'],
        also: { id: ['number', 'string'] },
        nonsense: [{ jsonrpc: '1.0', id: 1, method: 'ping' }],
      },
    ],
  },
  // The target is a webhook; the tests of Slack send signed messages to targets of Slack.
  'POST /v1/inbound/slack/:targetId': { status: 404, takesText: true },
  // Without a signature: the tests of webhooks send signed ones.
  'POST /v1/inbound/:targetId/:deliveryId': {
    status: 401,
    bodies: [
      {
        body: () => ({ answer: { decision: 'approve' }, inputDigest: 'a'.repeat(64) }),
        required: ['answer'],
        free: ['answer'],
      },
    ],
  },
  // A link of no deployment: test/server/answer-links.test.ts has real ones.
  'GET /links/:token': { status: 404 },
  'POST /links/:token': {
    status: 404,
    bodies: [
      {
        body: () => ({ answer: { decision: 'approve' }, inputDigest: 'a'.repeat(64) }),
        required: ['answer'],
        free: ['answer'],
      },
    ],
  },
  'POST /v1/devices': { status: 201, bodies: [deviceMade] },
  'GET /v1/devices': { status: 200 },
  // Of another person; test/server/devices.test.ts has devices of one's own.
  'DELETE /v1/devices/:deviceId': { status: 404 },
  'POST /v1/devices/:deviceId/test': { status: 404 },
  'GET /v1/settings': { status: 200 },
  'PUT /v1/settings': { status: 200, bodies: [settings] },
  'GET /v1/me': { status: 200 },
  'GET /v1/people': { status: 200 },
  'POST /v1/people': {
    status: 201,
    bodies: [
      {
        body: ({ session }) => ({
          email: `${session.replace('place-', 'bo')}@example.com`,
          role: 'answerer',
          name: 'Bo',
          groups: [],
        }),
        required: ['email', 'role'],
        nonsense: [
          { email: 'nobody', role: 'viewer' },
          { email: 'a@b.example', role: 'agent' },
          { email: 'a@b.example', role: 'viewer', groups: ['no-such-group'] },
          { email: 'a\u202eb@c.example', role: 'viewer' },
          { email: `${LONG}@b.example`, role: 'viewer' },
        ],
      },
    ],
  },
  // Nobody of that name; the tests of the login have people.
  'GET /v1/people/:subject': { status: 404 },
  'PATCH /v1/people/:subject': {
    status: 404,
    bodies: [
      {
        body: () => ({ role: 'viewer', name: 'Bo', groups: [] }),
        also: { name: ['null'] },
        nonsense: [{ role: 'agent' }, { name: 'admin' }],
      },
    ],
  },
  'DELETE /v1/people/:subject': { status: 404 },
  'POST /v1/people/admin-link': { status: 404 },
  'GET /v1/names': { status: 200 },
  'GET /v1/me/sign-ins': { status: 200 },
  'DELETE /v1/me/sign-ins': { status: 200 },
  'DELETE /v1/me/sign-ins/:signInId': { status: 404 },
  'DELETE /v1/me/tokens/:tokenId': { status: 404 },
  'GET /v1/sign-ins': { status: 200 },
  'DELETE /v1/sign-ins/:signInId': { status: 404 },
  // There is no login here: test/server/login.test.ts has one.
  'GET /auth/login': { status: 404 },
  'POST /auth/login': {
    status: 403,
    bodies: [{ body: () => ({ to: '/inbox', invitation: 'none' }) }],
  },
  'GET /auth/callback': { status: 404 },
  'GET /auth/session': { status: 200 },
  'POST /auth/logout': { status: 403 },
  'POST /v1/invitations/accept': {
    status: 410,
    bodies: [{ body: () => ({ invitation: 'none' }), required: ['invitation'] }],
  },
  'GET /v1/groups': { status: 200 },
  'PUT /v1/groups/:group': { status: 200, bodies: [group] },
  'DELETE /v1/groups/:group': { status: 404 },
  'GET /v1/rules': { status: 200, query: 'limit=5' },
  'POST /v1/rules': { status: 201, bodies: [rule] },
  'POST /v1/rules/try': { status: 200, bodies: [rule] },
  // The rule of the sample is its session's.
  'DELETE /v1/rules/:ruleId': { status: 404 },
  'GET /v1/me/quiet-hours': { status: 200 },
  'PUT /v1/me/quiet-hours': { status: 200, bodies: [quietHours] },
  'DELETE /v1/me/quiet-hours': { status: 204 },
  'PUT /v1/me/pins/:sessionId': { status: 204 },
  'DELETE /v1/me/pins/:sessionId': { status: 204 },
  'GET /v1/people/:subject/quiet-hours': { status: 200 },
  'PUT /v1/people/:subject/quiet-hours': { status: 200, bodies: [quietHours] },
  'DELETE /v1/people/:subject/quiet-hours': { status: 204 },
  'GET /health': { status: 200 },
  'GET /': { status: 200 },
  'GET /inbox': { status: 200 },
  'GET /sw.js': { status: 200 },
  'GET /assets/:name': { status: 404 },
  'GET /openapi.json': { status: 200 },
  'GET /docs': { status: 200 },
  'GET /docs/style.css': { status: 200 },
};

export interface Target {
  readonly key: string;
  readonly method: string;
  /** Hono's form, with `:id`. */
  readonly pattern: string;
  readonly idempotent: boolean;
  readonly bodyBytes: number;
  readonly bodyValues: number;
  readonly example: Example;
}

export function keysOfRoutes(): string[] {
  return ROUTES.map((route) => `${route.method} ${route.path}`);
}

/** Every route with its example; a missing example throws, so no test can pass without it. */
export const TARGETS: readonly Target[] = ROUTES.map((route) => {
  const key = `${route.method} ${route.path}`;
  const example = EXAMPLES[key];
  if (example === undefined) throw new Error(`test/support/http/examples.ts knows no "${key}"`);
  const { method, path: pattern, idempotent = false, bodyLimits } = route;
  const { maxBytes = LIMITS.bodyBytes, maxValues = LIMITS.jsonValues } = bodyLimits ?? {};
  return {
    key,
    method,
    pattern,
    idempotent,
    bodyBytes: maxBytes,
    bodyValues: maxValues,
    example,
  };
});

export function pathOf(target: Target, sample: SampleSession, iid?: Opened): string {
  const { example, method, pattern } = target;
  // The example of the deletion finds none: groups are few, and samples are many.
  const group = method === 'DELETE' ? 'nobody' : 'ops';
  const opened = iid ?? example.iid ?? example.bodies?.[0]?.iid ?? 'approval';
  return pattern
    .replace(':id', sample.session)
    .replace(':sessionId', sample.session)
    .replace(':iid', sample.open[opened].id)
    .replace(':attachmentId', sample.attachment)
    .replace(':ruleId', sample.rule)
    .replace(':messageId', sample.queued)
    .replace(':toolCallId', 'call-approval')
    .replace(':provider', cliOf(sample.session).provider)
    .replace(':cliSessionId', cliOf(sample.session).cliSessionId)
    .replace(':tokenId', sample.token)
    .replace(':token', `hpl_nothing.${'A'.repeat(43)}`)
    .replace(':targetId', sample.target)
    .replace(':signInId', 'sgn_nothing')
    .replace(':deviceId', sample.target)
    .replace(':deliveryId', `msg_${sample.target.slice('tgt_'.length)}_1`)
    .replace(':keyId', sample.key)
    .replace(':group', group)
    .replace(':subject', 'Ada')
    .replace(':name', pattern.startsWith('/v1/workspaces') ? 'main' : 'nothing.js');
}

/** The unchanged valid request. */
export function validRequest(
  target: Target,
  sample: SampleSession,
  body = target.example.bodies?.[0],
) {
  const query = target.example.query === undefined ? '' : `?${target.example.query}`;
  return {
    method: target.method,
    path: `${pathOf(target, sample, body?.iid)}${query}`,
    ...(body !== undefined && { json: body.body(sample) }),
  };
}
