export interface TypedMacs {
  /** Distinct; twelve lower-case hexadecimal digits each. */
  macs: string[];
  wrong: string[];
}

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
