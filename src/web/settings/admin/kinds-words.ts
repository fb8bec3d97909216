import { t } from '../../model/language.ts';

/** A kind of request on the pages for administrators. */
export function kindsWords(kind: string): string {
  switch (kind) {
    case 'approval':
      return t('Approvals');
    case 'question':
      return t('Questions');
    case 'plan_review':
      return t('Plans');
    case 'form':
      return t('Forms');
    case 'link':
      return t('Links');
    default:
      return kind;
  }
}
