import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { Icon } from '../../ui/icon.tsx';

export function NoSource({ how, children }: { how: 'network' | 'network_soon'; children?: ReactNode }) {
  return (
    <div className="no-source">
      <p className="no-source-title">
        <Icon name="unlink" size={16} />
        {t(`source.${how}`)}
      </p>
      <p className="small dim">{t(`source.${how}_how`)}</p>
      {children}
    </div>
  );
}

export function PartSource({ source }: { source: 'none' | 'partial' | 'complete' }) {
  return source === 'partial' && <p className="small dim">{t('source.partial')}</p>;
}
