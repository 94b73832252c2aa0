import { runTool } from '../apply/executor.ts';

/**
 * Tells systemd that the service is set up (`Type=notify`). Node.js has no datagrams over Unix sockets, so systemd's own
 * program sends it. Does nothing where the service manager does not ask for it.
 */
export async function sayReady(
  log: (line: string) => void,
  { NOTIFY_SOCKET }: NodeJS.ProcessEnv = process.env,
  run: typeof runTool = runTool,
): Promise<void> {
  if (NOTIFY_SOCKET === undefined) return;
  const { code, stderr } = await run(['systemd-notify', '--ready'], { environment: { NOTIFY_SOCKET } });
  if (code !== 0) log(`systemd cannot be told that the agent is ready: ${stderr.trim()}`);
}
