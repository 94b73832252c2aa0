/** What somebody typed as MAC addresses: those that are, and the words that are none. */
export interface TypedMacs {
  /** Twelve lower-case hexadecimal digits each, every one once. */
  macs: string[];
  wrong: string[];
}

/** Reads MAC addresses as labels and tables write them, between spaces, commas, semicolons or line breaks. */
export function typedMacs(text: string): TypedMacs {
  const macs = new Set<string>();
  const wrong: string[] = [];
  for (const word of text.split(/[\s,;，；、]+/).filter(Boolean)) {
    const digits = word.replace(/[:.-]/g, '').toLowerCase();
    if (/^[0-9a-f]{12}$/.test(digits)) macs.add(digits);
    else wrong.push(word);
  }
  return { macs: [...macs], wrong };
}
