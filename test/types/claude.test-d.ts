/** The public types of the bridge to the Claude Agent SDK; see client.test-d.ts. */
import type { CanUseTool, OnElicitation, PermissionResult } from 'holdpoint/claude';
import { createCanUseTool, createOnElicitation } from 'holdpoint/claude';

type IsAny<T> = 0 extends 1 & T ? true : false;
declare function isFalse<_Claim extends false>(): void;
declare function isTrue<_Claim extends true>(): void;

isFalse<IsAny<CanUseTool>>();
isFalse<IsAny<Parameters<CanUseTool>[1]>>();
isTrue<Awaited<ReturnType<CanUseTool>> extends PermissionResult | null ? true : false>();
isTrue<ReturnType<typeof createCanUseTool> extends CanUseTool ? true : false>();
isTrue<ReturnType<typeof createOnElicitation> extends OnElicitation ? true : false>();
