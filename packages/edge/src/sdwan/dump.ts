export interface DumpedPeer {
  device: string;
  publicKey: string;
  endpoint: string | null;
  /** Unix seconds; null before the first. */
  handshake: number | null;
  rxBytes: number;
  txBytes: number;
}

/** Parses `wg show all dump`; skips interface lines, which contain private keys, by their field count. */
export function readDump(text: string): DumpedPeer[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split('\t');
    if (fields.length !== 9) return [];
    const [device = '', publicKey = '', , endpoint = '', , handshake = '', rx = '', tx = ''] = fields;
    return [
      {
        device,
        publicKey,
        endpoint: endpoint === '(none)' ? null : endpoint,
        handshake: handshake === '0' ? null : Number(handshake),
        rxBytes: Number(rx),
        txBytes: Number(tx),
      },
    ];
  });
}
