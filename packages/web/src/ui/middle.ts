const segmenter = new Intl.Segmenter();
const signsOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

const maxTail = 8;

/** The tail stays when the head is cut. */
export function halvesOf(text: string): readonly [head: string, tail: string] {
  const signs = signsOf(text);
  const tail = Math.min(maxTail, Math.floor(signs.length / 3));
  return [signs.slice(0, signs.length - tail).join(''), signs.slice(signs.length - tail).join('')];
}

export function clipMiddle(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const signs = signsOf(text);
  for (let kept = signs.length - 1; kept > 1; kept -= 1) {
    const tail = Math.min(maxTail, Math.floor(kept / 2));
    const clipped = `${signs.slice(0, kept - tail).join('')}…${signs.slice(signs.length - tail).join('')}`;
    if (fits(clipped)) return clipped;
  }
  return `${signs[0] ?? ''}…`;
}
