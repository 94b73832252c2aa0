/** Removes spaces, hyphens and +86. Keeps excess digits, which validation reports. */
export function typedMobile(text: string): string {
  const bare = text.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}()]/gu, '');
  return bare.replace(/^(\+|00)86/, '').replace(/^86(?=1\d{10}$)/, '');
}
