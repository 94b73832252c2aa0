const rounds = [
  { add: 0, shifts: [3, 7, 11, 19], order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] },
  { add: 0x5a82_7999, shifts: [3, 5, 9, 13], order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15] },
  { add: 0x6ed9_eba1, shifts: [3, 9, 11, 15], order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15] },
] as const;

const mixes = [
  (x: number, y: number, z: number) => (x & y) | (~x & z),
  (x: number, y: number, z: number) => (x & y) | (x & z) | (y & z),
  (x: number, y: number, z: number) => x ^ y ^ z,
] as const;

const blockBytes = 64;

/** RFC 1320. Broken as a hash: MS-CHAP needs it, and OpenSSL 3 no longer has it. */
export function md4(message: Buffer): Buffer {
  const padding = Buffer.alloc(((119 - (message.length % blockBytes)) % blockBytes) + 1 + 8);
  padding[0] = 0x80;
  padding.writeBigUInt64LE(BigInt(message.length) * 8n, padding.length - 8);
  const padded = Buffer.concat([message, padding]);
  let state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
  for (let at = 0; at < padded.length; at += blockBytes) {
    let [a, b, c, d] = state as [number, number, number, number];
    for (const [round, { add, shifts, order }] of rounds.entries())
      for (const [step, word] of order.entries()) {
        const sum = (a + mixes[round]!(b, c, d) + padded.readUInt32LE(at + 4 * word) + add) | 0;
        const shift = shifts[step % 4]!;
        [a, b, c, d] = [d, (sum << shift) | (sum >>> (32 - shift)), b, c];
      }
    state = [a, b, c, d].map((value, index) => (value + state[index]!) >>> 0);
  }
  const digest = Buffer.alloc(16);
  for (const [index, value] of state.entries()) digest.writeUInt32LE(value, 4 * index);
  return digest;
}
