import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { type Adapter, DeliveryError, type OwnReason, patienceMs } from './message.ts';

export interface SmtpSettings {
  host: string;
  port: number;
  /** TLS from the first byte; STARTTLS, or nothing is sent; plain. */
  security: 'tls' | 'starttls' | 'none';
  /** Empty: without signing in. */
  user: string;
  password: string;
  from: string;
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  command?: string;
}

/**
 * Mail by SMTP. The certificate has to be one that this machine trusts, for the host's name. A recipient or a mail that is
 * refused for good (RFC 5321, 4.2.1: 5yz) is not tried again; a sender or a password may be put right meanwhile.
 */
export function smtpAdapter(settings: SmtpSettings, patience = patienceMs): Adapter {
  const { host, port, security, user, password, from } = settings;
  return {
    async send({ id, to, subject, text }) {
      const transport = createTransport({
        ...{
          host,
          port,
          secure: security === 'tls',
          requireTLS: security === 'starttls',
          ignoreTLS: security === 'none',
        },
        ...(user ? { auth: { user, pass: password } } : {}),
        ...{ connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience, dnsTimeout: patience },
        ...{ disableFileAccess: true, disableUrlAccess: true },
      });
      const mail = {
        from: { name: 'Yunxun', address: from },
        ...{ to: { name: '', address: to }, subject, text },
        // the same at every try: a repeated delivery is recognised
        messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      };
      const enough = new AbortController();
      try {
        return await Promise.race([
          transport.sendMail(mail).then(({ response }) => response),
          delay(patience, undefined, { signal: enough.signal }).then(() => {
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

function refusalOf({ message, code, responseCode = 0, command = '' }: SmtpError): DeliveryError {
  if (code === 'ETIMEDOUT') return new DeliveryError('no_answer' satisfies OwnReason);
  const aboutMail = command === 'RCPT TO' || command === 'DATA';
  // what was being done, and the server's own words
  return new DeliveryError(message, responseCode >= 500 && aboutMail);
}
