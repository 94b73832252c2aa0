import { expect, it } from 'vitest';
import { captiveHost } from './captive-host.ts';

const { parts, captive, apply, status } = captiveHost();

async function withoutConsole(work: () => Promise<void>): Promise<void> {
  const { lab, host } = parts();
  const rule = `tcp dport ${host.console.devicePort} reject with tcp reset`;
  await lab.run(
    'net',
    'nft',
    `add table ip away; add chain ip away c { type filter hook forward priority 0; }; add rule ip away c ${rule}`,
  );
  host.console.sessions.at(-1)?.socket.terminate();
  await work();
  const back = host.console.connected();
  await lab.run('net', 'nft', 'delete', 'table', 'ip', 'away');
  await back;
}

/** In turns: a poll has a limit. */
async function closedUntil(time: number): Promise<void> {
  while (Date.now() < time) {
    const turn = Math.min(time, Date.now() + 20_000);
    expect(await status()).toBe(302);
    await expect.poll(() => Date.now()).toBeGreaterThanOrEqual(turn);
  }
}

const minute = 60_000;
const everyDay = [1, 2, 3, 4, 5, 6, 7];

it('lets no new guest in while the console is away, unless the template says so', async () => {
  await withoutConsole(() => closedUntil(Date.now() + 1.5 * minute));
});

it('opens without the console at opening time, and closes when it is back', async () => {
  const from = Math.ceil((Date.now() + 1.5 * minute) / minute) * minute;
  const text = (time: number) => new Date(time).toISOString().slice(11, 16);
  const hours = [{ days: everyDay, from: text(from), to: text(from + 60 * minute) }];
  await apply({ captive: { ...captive(), away: { zone: 'UTC', hours } } });
  await withoutConsole(async () => {
    await closedUntil(from - 2000);
    await expect.poll(() => status()).toBe(200);
    expect(await status('https://192.0.2.10/whoami')).toBe(200);
  });
  await expect.poll(() => status()).toBe(302);
});

it('ends the open networks at closing time, without the console', async () => {
  const to = Math.ceil((Date.now() + 1.8 * minute) / minute) * minute;
  const text = (time: number) => new Date(time).toISOString().slice(11, 16);
  const hours = [{ days: everyDay, from: text(to - 60 * minute), to: text(to) }];
  await apply({ captive: { ...captive(), away: { zone: 'UTC', hours } } });
  await withoutConsole(async () => {
    await expect.poll(() => status()).toBe(200);
    expect(Date.now()).toBeLessThan(to);
    await expect.poll(() => Date.now()).toBeGreaterThan(to);
    await expect.poll(() => status()).toBe(302);
  });
});
