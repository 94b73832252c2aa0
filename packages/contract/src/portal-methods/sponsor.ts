import { Type } from 'typebox';
import type { MethodShape } from './method.ts';

const maxSponsors = 10;

/** Addresses, or `@example.com` for all of a company. */
const Sponsors = Type.Array(
  Type.String({ maxLength: 128, pattern: '^[^\\s@<>"]*@[^\\s@<>"]+\\.[^\\s@<>"]+$', hint: 'sponsor' }),
  { minItems: 1, maxItems: maxSponsors, uniqueItems: true },
);

export const sponsor = {
  settings: { sponsors: Sponsors },
  stored: ({ sponsors }) => ({ sponsors: (sponsors as string[]).map((address) => address.toLowerCase()) }),
  secret: {},
} as const satisfies MethodShape;
