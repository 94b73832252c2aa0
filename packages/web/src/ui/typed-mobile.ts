/**
 * A mobile number as it is kept, from what people type and paste: address books write it with spaces, hyphens and the
 * country's +86. Nothing else is dropped: too many digits are complained about, never cut in silence.
 */
export function typedMobile(text: string): string {
  const bare = text.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}()]/gu, '');
  return bare.replace(/^(\+|00)86/, '').replace(/^86(?=1\d{10}$)/, '');
}
