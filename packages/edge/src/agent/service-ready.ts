import { runTool } from '../apply/executor.ts';

/**
 * Notifies systemd (`Type=notify`) through its own program: Node.js has no datagrams over Unix sockets. Does nothing
 * unless asked for.
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
