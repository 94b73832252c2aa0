import type { TProperties } from 'typebox';

/** What a sign-in method of the guest portal has beside the limits of all methods. */
export interface MethodShape {
  /** Fields of its settings; a field without a default is required. */
  settings: TProperties;
  defaults?: Readonly<Record<string, unknown>>;
  /** Changes settings before they are stored. */
  stored?(settings: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Its write-only field, if it has one. */
  secret: TProperties;
  /** Settings of which each change voids the stored secret. */
  secretOf?: readonly string[];
  /** Guests sign in at an identity provider. */
  login?: true;
}

/** Without settings of its own. */
export const plain = { settings: {}, secret: {} } as const satisfies MethodShape;
