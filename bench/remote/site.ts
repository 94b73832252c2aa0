export const siteAddress = '192.168.1.64';
export const filePath = '/firmware.bin';
export const fileBytes = 20_000_000;

/** Has own addresses, which are replaced. */
export const sitePage = `<!doctype html><title>Camera</title>${Array.from(
  { length: 40 },
  (_none, at) =>
    `<p><a href="http://${siteAddress}/channel/${at}">Channel ${at}</a> shows what it sees, every day.</p>`,
).join('\n')}`;
