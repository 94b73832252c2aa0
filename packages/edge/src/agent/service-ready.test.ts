import { expect, it } from 'vitest';
import type { runTool } from '../apply/executor.ts';
import { sayReady } from './service-ready.ts';

async function reported(environment: NodeJS.ProcessEnv, code = 0) {
  const [asked, log]: [unknown[], string[]] = [[], []];
  const run: typeof runTool = async (...call) => {
    asked.push(call);
    return { code, stdout: '', stderr: 'systemd-notify is not installed' };
  };
  await sayReady((line) => log.push(line), environment, run);
  return { asked, log };
}

it('notifies systemd once that the agent is ready, over the socket that systemd named', async () => {
  const environment = { NOTIFY_SOCKET: '/run/systemd/notify' };
  const call = [['systemd-notify', '--ready'], { environment }];
  expect(await reported({ ...environment, SECRET: 'x' })).toEqual({ asked: [call], log: [] });
});

it('sends nothing without a notify socket, as under a unit of an older version', async () => {
  expect(await reported({})).toEqual({ asked: [], log: [] });
});

it('continues when the notification fails', async () => {
  expect((await reported({ NOTIFY_SOCKET: 'x' }, -1)).log).toEqual([expect.stringContaining('is not installed')]);
});
