/** Relative luminance of `#rrggbb` (WCAG 2.1). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Picks the more readable one, with its contrast (WCAG 2.1: 4.5 for text). */
export function textOn(colour: string): { text: '#000000' | '#ffffff'; ratio: number } {
  const light = luminance(colour);
  const [black, white] = [(light + 0.05) / 0.05, 1.05 / (light + 0.05)];
  return black >= white ? { text: '#000000', ratio: black } : { text: '#ffffff', ratio: white };
}
