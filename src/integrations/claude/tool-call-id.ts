/** The SDK's id of a call as one of ours: the same call must find the same question. */
import type { CanUseToolOptions } from './sdk-types.ts';

const USABLE = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Undefined where neither id can be one: then every ask is a new question. */
export function toolCallIdOf({
  toolUseID = '',
  requestId = '',
}: Pick<CanUseToolOptions, 'toolUseID' | 'requestId'>): string | undefined {
  if (USABLE.test(toolUseID)) return toolUseID;
  return USABLE.test(`request-${requestId}`) && requestId !== ''
    ? `request-${requestId}`
    : undefined;
}
