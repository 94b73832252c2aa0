import type { Socket } from 'node:net';
import { remoteLimits } from '@yunxun/contract/device';

/** Reads the first line without its line feed, and leaves the rest in the stream. @throws an error */
export function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let line: Buffer = Buffer.alloc(0);
    const settle = (outcome: string | Error) => {
      clearTimeout(timer);
      socket.off('readable', read).off('close', gone).off('error', gone);
      if (typeof outcome === 'string') resolve(outcome);
      else reject(outcome);
    };
    const gone = () => settle(new Error('the connection ended before its first line'));
    const timer = setTimeout(() => settle(new Error('no first line')), remoteLimits.lineWait);
    const read = () => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        const end = chunk.indexOf(10);
        line = Buffer.concat([line, end < 0 ? chunk : chunk.subarray(0, end)]);
        if (line.length >= remoteLimits.lineBytes) return settle(new Error('the first line is too long'));
        if (end < 0) continue;
        settle(line.toString());
        if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
        return;
      }
    };
    socket.on('readable', read).on('close', gone).on('error', gone);
    read();
  });
}
