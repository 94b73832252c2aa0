import type { TProperties } from 'typebox';

export interface MethodShape {
  /** A field without a default is required. */
  settings: TProperties;
  defaults?: Readonly<Record<string, unknown>>;
  /** Normalises settings before they are stored. */
  stored?(settings: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Write-only. */
  secret: TProperties;
  /** Settings whose change voids the stored secret. */
  secretOf?: readonly string[];
  /** Guests sign in at an identity provider. */
  login?: true;
}

export const plain = { settings: {}, secret: {} } as const satisfies MethodShape;
