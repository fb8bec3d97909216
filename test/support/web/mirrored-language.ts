/** A language that is written from right to left, and whose words show that they went through the catalogue. */
import type { Language } from '../../../src/web/model/language.ts';

export const MIRRORED: Language = {
  locale: 'ar-u-nu-latn',
  direction: 'rtl',
  catalogue: new Proxy<Record<string, string>>(
    {},
    {
      get: (_, english) => `«${String(english)}»`,
      getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
    },
  ),
};
