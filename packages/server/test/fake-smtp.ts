import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export interface TakenMail {
  from: string;
  to: string;
  user: string | null;
  password: string | null;
  headers: Record<string, string>;
  text: string;
}

/** Plain SMTP server (RFC 5321, 4954). */
export interface FakeSmtp {
  port: number;
  mails: TakenMail[];
  heard: string[];
  /** Answers by command (`RCPT TO`, `AUTH`); empty: no answer. */
  refusals: Map<string, string>;
  stop(): Promise<void>;
}

export async function startFakeSmtp(): Promise<FakeSmtp> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    converse(socket, fake);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const fake: FakeSmtp = {
    port: (server.address() as AddressInfo).port,
    mails: [],
    heard: [],
    refusals: new Map(),
    stop: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
  return fake;
}

function converse(socket: Socket, fake: FakeSmtp): void {
  const mail = { from: '', to: '', user: null as string | null, password: null as string | null };
  let data: string[] | null = null;
  let rest = '';
  const say = (line: string) => socket.write(`${line}\r\n`);
  const hear = (line: string) => {
    if (data) {
      if (line !== '.') return void data.push(line.replace(/^\./, ''));
      fake.mails.push({ ...mail, ...partsOf(data) });
      data = null;
      return say('250 2.0.0 OK: queued as 4XyZ');
    }
    const command = (/^(MAIL FROM|RCPT TO|\w+)/i.exec(line)?.[1] ?? '').toUpperCase();
    fake.heard.push(command);
    const refusal = fake.refusals.get(command);
    if (refusal !== undefined) return refusal && say(refusal);
    if (command === 'EHLO') return say('250-mail.test\r\n250-AUTH PLAIN\r\n250 8BITMIME');
    if (command === 'AUTH') {
      const [, user = '', password = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0');
      Object.assign(mail, { user, password });
      return say('235 2.7.0 accepted');
    }
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (command === 'MAIL FROM') mail.from = address;
    if (command === 'RCPT TO') mail.to = address;
    if (command === 'DATA') {
      data = [];
      return say('354 go on');
    }
    if (command === 'QUIT') return say('221 bye');
    say(['MAIL FROM', 'RCPT TO', 'RSET'].includes(command) ? '250 2.1.0 OK' : '502 5.5.1 not here');
  };
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
  say('220 mail.test ESMTP');
}

function partsOf(lines: string[]): Pick<TakenMail, 'headers' | 'text'> {
  const end = lines.indexOf('');
  const unfolded = lines
    .slice(0, end)
    .join('\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
  const headers = Object.fromEntries(
    unfolded.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), words(line.slice(line.indexOf(':') + 2))]),
  );
  const body = lines.slice(end + 1).join('\n');
  const encoding = headers['content-transfer-encoding'];
  if (encoding === 'base64') return { headers, text: Buffer.from(body, 'base64').toString() };
  return { headers, text: encoding === 'quoted-printable' ? quoted(body.replace(/=\n/g, '')) : body };
}

function words(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, value: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(value, 'base64').toString() : quoted(value.replaceAll('_', ' ')),
    );
}

function quoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
