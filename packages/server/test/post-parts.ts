import { type Agent, request } from 'node:http';
import { type AnyEndpoint, usualBodyBytes } from '@yunxun/contract';
import { endpoints } from './endpoints.ts';

export const posted = endpoints.filter(({ method }) => method === 'POST');
export const limitOf = ({ bodyBytes = usualBodyBytes }: Pick<AnyEndpoint, 'bodyBytes'>) => bodyBytes;

export type Parts = readonly string[];

export interface Reported {
  status: number;
  bytes: number;
  code: number;
  errors: Record<string, string[]>;
}

/** Sends a body in parts, so that large ones are not copied. */
export function postParts(agent: Agent, url: string, parts: Parts, token: string | null): Promise<Reported> {
  return new Promise((resolve, reject) => {
    const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    const headers = { 'content-type': 'application/json', 'content-length': length, localization: 'en' };
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const { code, errors = {} } = JSON.parse(text) as { code: number; errors?: Reported['errors'] };
        resolve({ status: response.statusCode!, bytes: Buffer.byteLength(text), code, errors });
      });
    });
    for (const part of parts) sent.write(part);
    sent.end();
  });
}
