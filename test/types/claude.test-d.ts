/** The public types of the bridge to the Claude Agent SDK; see client.test-d.ts. */
import type { CanUseTool, OnElicitation, PermissionResult } from 'holdpoint/claude';
import { claude, createCanUseTool, createOnElicitation } from 'holdpoint/claude';
import { connect } from 'holdpoint/client';

type IsAny<T> = 0 extends 1 & T ? true : false;
declare function isFalse<_Claim extends false>(): void;
declare function isTrue<_Claim extends true>(): void;

isFalse<IsAny<CanUseTool>>();
isFalse<IsAny<Parameters<CanUseTool>[1]>>();
isTrue<Awaited<ReturnType<CanUseTool>> extends PermissionResult | null ? true : false>();
isTrue<ReturnType<typeof createCanUseTool> extends CanUseTool ? true : false>();
isTrue<ReturnType<typeof createOnElicitation> extends OnElicitation ? true : false>();

// Hooks unless the host wants none, and the host's own with them.
const plain = claude(connect());
const bare = claude(connect(), { hooks: false });
const own = { SessionEnd: [{ hooks: [async () => ({})] }] };
const hooked = claude(connect(), { hooks: own, defer: { afterSeconds: 2 } });
isTrue<'PostToolUse' extends keyof typeof plain.hooks ? true : false>();
isFalse<'hooks' extends keyof typeof bare ? true : false>();
isFalse<IsAny<typeof hooked.hooks>>();
isTrue<typeof hooked.hooks extends typeof own ? true : false>();
isTrue<'PostToolUse' extends keyof typeof hooked.hooks ? true : false>();
// @ts-expect-error The spread would replace the hooks beside it.
export const lost = { hooks: own, ...claude(connect()) };
