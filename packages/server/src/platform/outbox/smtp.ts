import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { PrivateAddress, publicAddresses } from '../outgoing/address.ts';
import { type Adapter, DeliveryError, type OwnReason, sendTimeoutMs } from './message.ts';

export interface SmtpSettings {
  host: string;
  port: number;
  /** TLS from the first byte, required STARTTLS, or plain. */
  security: 'tls' | 'starttls' | 'none';
  /** Empty: no authentication. */
  user: string;
  password: string;
  from: string;
  privateAddresses: boolean;
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  command?: string;
}

/**
 * Requires a trusted certificate. Permanent rejections (RFC 5321, 4.2.1: 5yz) of recipient or mail are final; of sender
 * or password not, because settings may be corrected.
 */
export function smtpAdapter(settings: SmtpSettings, timeout = sendTimeoutMs): Adapter {
  const { host, port, security, user, password, from, privateAddresses } = settings;
  return {
    async send({ id, to, subject, text, html, attachment }) {
      const address = privateAddresses ? host : await publicAddress(host);
      const transport = createTransport({
        // a second lookup might differ
        host: address,
        tls: isIP(host) ? {} : { servername: host },
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        ...(user ? { auth: { user, pass: password } } : {}),
        connectionTimeout: timeout,
        greetingTimeout: timeout,
        socketTimeout: timeout,
        dnsTimeout: timeout,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const mail = {
        from: { name: 'Yunxun', address: from },
        to: { name: '', address: to },
        subject,
        text,
        ...(html === null ? {} : { html }),
        ...(attachment ? { attachments: [{ filename: attachment.name, content: attachment.content }] } : {}),
        // for deduplication
        messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      };
      const enough = new AbortController();
      try {
        return await Promise.race([
          transport.sendMail(mail).then(({ response }) => response),
          delay(timeout, undefined, { signal: enough.signal }).then(() => {
            throw new DeliveryError('no_answer' satisfies OwnReason);
          }),
        ]);
      } catch (error) {
        throw error instanceof DeliveryError ? error : refusalOf(error as SmtpError);
      } finally {
        enough.abort();
        transport.close();
      }
    },
  };
}

/** @throws DeliveryError if any address is private */
async function publicAddress(host: string): Promise<string> {
  const addresses = await publicAddresses(host).catch((error: Error) => {
    throw new DeliveryError(error instanceof PrivateAddress ? ('private_address' satisfies OwnReason) : error.message);
  });
  return addresses[0]!.address;
}

function refusalOf({ message, code, responseCode = 0, command = '' }: SmtpError): DeliveryError {
  // no mail server: hide its greeting (server-side request forgery)
  if (code === 'EPROTOCOL' && command === 'CONN') return new DeliveryError('not_smtp' satisfies OwnReason);
  if (code === 'ETIMEDOUT') return new DeliveryError('no_answer' satisfies OwnReason);
  const aboutMail = command === 'RCPT TO' || command === 'DATA';
  return new DeliveryError(message, responseCode >= 500 && aboutMail);
}
