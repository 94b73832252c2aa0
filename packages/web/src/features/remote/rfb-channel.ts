/** Takes the place of a WebSocket for noVNC (`rawChannelProps` in its `websock.js`). */
export class RfbChannel {
  binaryType = 'arraybuffer';
  readonly protocol = '';
  readyState: number = WebSocket.OPEN;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: Uint8Array }) => void) | null = null;
  onclose: ((event: object) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  readonly #transmit: (data: Uint8Array) => void;

  constructor(transmit: (data: Uint8Array) => void) {
    this.#transmit = transmit;
  }

  send(data: Uint8Array): void {
    if (this.readyState === WebSocket.OPEN) this.#transmit(data);
  }

  receive(data: Uint8Array): void {
    this.onmessage?.({ data });
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    queueMicrotask(() => this.onclose?.({}));
  }
}
