import { expiringCertificates, sharedCertificates } from '../../../uplink/index.ts';
import { type AlarmSource, dated, type Observation } from '../source.ts';

const dayMs = 86_400_000;

export const certificateSource: AlarmSource<'certificate_shared' | 'certificate_expiring'> = {
  kinds: { certificate_shared: null, certificate_expiring: null },
  async read(tx, { now, limit }) {
    const shared = (await sharedCertificates(tx, now)).map((ref) => dated('certificate_shared', ref));
    const before = new Date(now.getTime() + limit('certificate_expiring') * dayMs);
    const expiring = (await expiringCertificates(tx, before)).map(({ expiresAt, ...ref }): Observation => {
      const value = Math.floor((expiresAt.getTime() - now.getTime()) / dayMs);
      return { ...ref, kind: 'certificate_expiring', part: '', isProblem: true, since: null, expiresAt, value };
    });
    return [...shared, ...expiring];
  },
};
