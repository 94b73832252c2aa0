import { expect, it } from 'vitest';
import { slowly } from '../edge/lab-console.ts';
import { labFixture } from '../edge/lab-fixture.ts';
import { type Fixture, startFixture } from './fixture.ts';

let fixture: Fixture;
labFixture(async (own) => {
  fixture = own(await startFixture());
  await fixture.bind();
  await fixture.machine.run("echo 'root:lab secret' | chpasswd");
});

/** Answers prompts, and prints the screen or the error. */
const visitor = String.raw`
const socket = require('net').connect('/run/yunxun-edge-root/shell');
const frame = (type, body) => Buffer.concat([Buffer.from([type, 0, body.length]), body]);
const answers = [['login: ', 'root'], ['Password: ', 'lab secret'], ['# ', 'nohup sleep 4000001 >/dev/null 2>&1 & stty size; id -u; echo over-$((1+1))']];
let screen = '';
socket.on('connect', () => socket.write(frame(1, Buffer.from([0, 132, 0, 43]))));
socket.on('error', ({ code }) => console.log(code));
socket.on('data', (part) => {
  screen += part;
  if (answers[0] && screen.includes(answers[0][0])) socket.write(frame(0, Buffer.from(answers.shift()[1] + '\r')));
  if (!screen.includes('over-2')) return;
  console.log(screen);
  process.exit();
});
`;

const visit = (user: string, group: string) =>
  fixture.machine.run(
    `setpriv --reuid ${user} --regid ${group} --clear-groups node -e '${visitor.replaceAll("'", '"')}'`,
  );

it("opens root's login prompt for the agent's user only, and ends every process of it", async () => {
  const { machine } = fixture;
  expect(await visit('daemon', 'daemon')).toBe('EACCES\n');
  const screen = await visit('yunxun-edge', 'yunxun-edge');
  expect(screen).toContain('box login: root\r\n');
  expect(screen).toContain('43 132\r\n0\r\n');
  // the pattern does not match itself
  const looks = 'grep -laE "sleep.400000[1]" /proc/[0-9]*/cmdline; grep -lx login /proc/[0-9]*/comm';
  const left = async () => (await machine.try(looks)).stdout;
  await expect.poll(left, slowly).toBe('');
  const state = async () => (await machine.try('systemctl is-active yunxun-edge-shell.service')).stdout.trim();
  await expect.poll(state, slowly).toBe('inactive');
  expect(await visit('yunxun-edge', 'yunxun-edge')).toContain('over-2');
  expect(await machine.run('systemctl is-active yunxun-edge-shell.socket')).toBe('active\n');
});
