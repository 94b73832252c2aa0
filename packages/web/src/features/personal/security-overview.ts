import type { Data } from '../../app/api.ts';

export type Safety = Data<'/api/v3/security/overview'>;
export type Act = 'password' | 'mobile' | 'email' | 'withdrawal' | 'totp' | 'passkey' | { codes: readonly string[] };
