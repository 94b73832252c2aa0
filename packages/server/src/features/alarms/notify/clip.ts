/** Shortens a text to a number of bytes, at a character. */
export function clip(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > max - 3) break;
    kept += character;
  }
  return `${kept}…`;
}
