let codes: Map<string, number> | undefined;

/** Encodes text as GBK, as older Chinese programs read text files; other characters become `?`. */
export function gbk(text: string): Buffer {
  codes ??= table();
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)! < 0x80 ? character.codePointAt(0)! : (codes.get(character) ?? 0x3f);
    if (code > 0xff) bytes.push(code >> 8);
    bytes.push(code & 0xff);
  }
  return Buffer.from(bytes);
}

function table(): Map<string, number> {
  const decoder = new TextDecoder('gbk');
  const found = new Map<string, number>();
  for (let lead = 0x81; lead <= 0xfe; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if ([...character].length === 1 && character !== '\ufffd' && !found.has(character))
        found.set(character, lead * 256 + trail);
    }
  return found;
}
