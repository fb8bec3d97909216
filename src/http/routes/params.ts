/** The parts of paths that several routes share. */
import * as z from 'zod';
import { InteractionId, SessionId } from '../../protocol/ids.ts';

export const InSession = z.strictObject({ id: SessionId });
export const InInteraction = z.strictObject({ id: SessionId, iid: InteractionId });
