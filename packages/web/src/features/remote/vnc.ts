import RFB from '@novnc/novnc';
import { RfbChannel } from './rfb-channel.ts';

export type Credential = 'username' | 'password';

export interface VncEvents {
  sent(data: Uint8Array): void;
  asked(credentials: readonly Credential[]): void;
  /** SHA-256, for RSA-AES. */
  keyShown(fingerprint: string): void;
  shown(): void;
  refused(reason: string): void;
  used(): void;
}

export interface Vnc {
  receive(data: Uint8Array): void;
  answer(credentials: Partial<Record<Credential, string>>): void;
  trustKey(): void;
  fit(on: boolean): void;
  viewOnly(on: boolean): void;
  ctrlAltDel(): void;
  paste(text: string): void;
  focus(): void;
  dispose(): void;
}

/** Milliseconds. */
const usedEvery = 20_000;

export function showVnc(element: HTMLElement, label: string, events: VncEvents): Vnc {
  const channel = new RfbChannel(events.sent);
  const rfb = new RFB(element, channel, { shared: true });
  rfb.background = 'transparent';
  rfb.scaleViewport = true;
  drawWithoutUrls(rfb);
  const canvas = element.querySelector('canvas');
  canvas?.setAttribute('role', 'application');
  canvas?.setAttribute('aria-label', label);

  rfb.addEventListener('connect', () => events.shown());
  rfb.addEventListener('credentialsrequired', (event) => {
    events.asked((event as CustomEvent<{ types: Credential[] }>).detail.types);
  });
  rfb.addEventListener('securityfailure', (event) => {
    events.refused((event as CustomEvent<{ reason?: string }>).detail.reason ?? '');
  });
  rfb.addEventListener('serververification', (event) => {
    const { publickey } = (event as CustomEvent<{ publickey: Uint8Array<ArrayBuffer> }>).detail;
    crypto.subtle.digest('SHA-256', publickey).then(
      (digest) => events.keyShown(Array.from(new Uint8Array(digest), hexadecimal).join(':')),
      () => channel.close(),
    );
  });
  let usedAt = -usedEvery;
  const use = () => {
    if (performance.now() - usedAt < usedEvery) return;
    usedAt = performance.now();
    events.used();
  };
  for (const name of ['keydown', 'pointermove', 'pointerdown', 'wheel'] as const)
    element.addEventListener(name, use, { capture: true, passive: true });

  return {
    receive: (data) => channel.receive(data),
    answer: (credentials) => rfb.sendCredentials(credentials),
    trustKey: () => rfb.approveServer(),
    fit(on) {
      rfb.scaleViewport = on;
    },
    viewOnly(on) {
      rfb.viewOnly = on;
    },
    ctrlAltDel: () => rfb.sendCtrlAltDel(),
    paste: (text) => rfb.clipboardPasteFrom(text),
    focus: () => rfb.focus({ preventScroll: true }),
    dispose() {
      if (channel.readyState === WebSocket.OPEN) rfb.disconnect();
    },
  };
}

const hexadecimal = (byte: number) => byte.toString(16).padStart(2, '0');

/** Decodes JPEG and PNG parts without `data:` URLs, which the Content-Security-Policy forbids. */
function drawWithoutUrls({ _display: display }: RFB): void {
  display.imageRect = (x, y, width, height, type, data) => {
    if (width === 0 || height === 0) return;
    const decoded = createImageBitmap(new Blob([data], { type })).catch(() =>
      createImageBitmap(new ImageData(width, height)),
    );
    const picture = {
      ready: false,
      frame: null as ImageBitmap | null,
      promise: decoded.then((frame) => {
        picture.frame = frame;
        picture.ready = true;
      }),
    };
    display.videoFrame(x, y, width, height, picture);
  };
}
