declare module '@novnc/novnc' {
  interface PendingPicture {
    ready: boolean;
    frame: ImageBitmap | null;
    promise: Promise<void>;
  }

  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: object, options?: { shared?: boolean });
    viewOnly: boolean;
    scaleViewport: boolean;
    background: string;
    /** Inner part of the pinned version. */
    readonly _display: {
      imageRect(x: number, y: number, width: number, height: number, type: string, data: Uint8Array<ArrayBuffer>): void;
      videoFrame(x: number, y: number, width: number, height: number, picture: PendingPicture): void;
    };
    approveServer(): void;
    clipboardPasteFrom(text: string): void;
    disconnect(): void;
    focus(options?: FocusOptions): void;
    sendCredentials(credentials: { username?: string; password?: string }): void;
    sendCtrlAltDel(): void;
  }
}
