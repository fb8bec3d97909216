/** What an announcement says about a request, read in the type of its kind. */
import {
  ApprovalRequest,
  type ApprovalRequest as ApprovalRequestType,
} from '../../../protocol/schema/kinds/approval.ts';
import {
  FormRequest,
  type FormRequest as FormRequestType,
} from '../../../protocol/schema/kinds/form.ts';
import {
  LinkRequest,
  type LinkRequest as LinkRequestType,
} from '../../../protocol/schema/kinds/link.ts';
import { PlanReviewRequest } from '../../../protocol/schema/kinds/plan-review.ts';
import {
  QuestionRequest,
  type QuestionRequest as QuestionRequestType,
} from '../../../protocol/schema/kinds/question.ts';
import type { RequestedAnnouncement } from '../surface.ts';

export type SlackRequest =
  | { readonly kind: 'approval'; readonly request: ApprovalRequestType }
  | { readonly kind: 'question'; readonly request: QuestionRequestType }
  | { readonly kind: 'plan_review'; readonly plan: string }
  | { readonly kind: 'form'; readonly request: FormRequestType }
  | { readonly kind: 'link'; readonly request: LinkRequestType }
  /** Too large for an announcement, or of a kind that is not known here. */
  | { readonly kind: 'other' };

export function readShownRequest({ kind, request }: RequestedAnnouncement): SlackRequest {
  if (request === null) return { kind: 'other' };
  switch (kind) {
    case 'approval': {
      const read = ApprovalRequest.safeParse(request);
      return read.success ? { kind, request: read.data } : { kind: 'other' };
    }
    case 'question': {
      const read = QuestionRequest.safeParse(request);
      return read.success ? { kind, request: read.data } : { kind: 'other' };
    }
    case 'plan_review': {
      const read = PlanReviewRequest.safeParse(request);
      return read.success && read.data.plan !== undefined
        ? { kind, plan: read.data.plan }
        : { kind: 'other' };
    }
    case 'form': {
      const read = FormRequest.safeParse(request);
      return read.success ? { kind, request: read.data } : { kind: 'other' };
    }
    case 'link': {
      const read = LinkRequest.safeParse(request);
      return read.success ? { kind, request: read.data } : { kind: 'other' };
    }
    default:
      return { kind: 'other' };
  }
}
