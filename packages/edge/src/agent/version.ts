declare const YUNXUN_VERSION: string | undefined;

export const agentVersion: string = typeof YUNXUN_VERSION === 'string' ? YUNXUN_VERSION : '0.0.0';

export const agentFirmwareName = `Yunxun edge ${agentVersion}`;
