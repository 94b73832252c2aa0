import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface GuestPage {
  url: string;
  html: string;
}

/** A browser at one address of the loopback network, which the portal sees as the guest's public address. */
export class GuestBrowser {
  private readonly agent: Agent;

  constructor(address: string) {
    this.agent = new Agent({ localAddress: address, keepAlive: true, maxSockets: 50 });
  }

  /** Follows redirects on the portal; a redirect to a gateway ends there. */
  async open(url: string, form?: Readonly<Record<string, string>>): Promise<GuestPage> {
    const headers: OutgoingHttpHeaders = { 'accept-language': 'en' };
    if (form) headers['content-type'] = 'application/x-www-form-urlencoded';
    const { status, location, html } = await new Promise<{ status: number; location?: string; html: string }>(
      (answered, failed) => {
        const sent = request(url, { agent: this.agent, method: form ? 'POST' : 'GET', headers }, (response) => {
          const { statusCode = 0, headers } = response;
          text(response).then((html) => answered({ status: statusCode, location: headers.location, html }), failed);
        });
        sent.on('error', failed);
        sent.end(form ? new URLSearchParams(form).toString() : undefined);
      },
    );
    if (status < 300 || status >= 400 || !location) return { url, html };
    const next = new URL(location, url);
    return next.host === new URL(url).host ? this.open(next.href) : { url: next.href, html: '' };
  }

  submit({ url, html }: GuestPage, way: string, fields: Readonly<Record<string, string>>): Promise<GuestPage> {
    const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? '';
    const form = { state: hidden(html, 'state'), lang: hidden(html, 'lang'), way, ...fields };
    return this.open(new URL(action, url).href, form);
  }

  close(): void {
    this.agent.destroy();
  }
}

const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** Null without an alert: the guest was let in. */
export const alertOf = ({ html }: GuestPage): string | null => /role="alert"[^>]*>([^<]*)</.exec(html)?.[1] ?? null;
