declare const YUNXUN_VERSION: string | undefined;

/** The agent's version; the bundle carries the one it was built as. */
export const agentVersion: string = typeof YUNXUN_VERSION === 'string' ? YUNXUN_VERSION : '0.0.0';

/** As devices name their firmware. */
export const agentFirmwareName = `Yunxun edge ${agentVersion}`;
