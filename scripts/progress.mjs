// Shows on one line of a terminal how far a long step has come; elsewhere a line every ten seconds.
const everyMs = process.stdout.isTTY ? 500 : 10_000;

/** Runs `work`; `text` says how far it has come. */
export async function showing(name, work, text = () => '') {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const line = () => [`${name}…`, text(), `${seconds()} s`].filter(Boolean).join(' ');
  const say = process.stdout.isTTY ? () => process.stdout.write(`\r\x1b[2K${line()}`) : () => console.log(line());
  say();
  const timer = setInterval(say, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K');
    console.log(`${name}: ${seconds()} s`);
  }
}
