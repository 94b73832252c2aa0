import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { Icon } from '../../ui/icon.tsx';

/** In the place of a number that nothing measures: that there is no source, and how to get one. Never an invented number. */
export function NoSource({
  how,
  children,
}: {
  how: 'application' | 'alarm' | 'auth' | 'network' | 'network_soon';
  children?: ReactNode;
}) {
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

/** Beside a sum that some networks do not add to. */
export function PartSource({ source }: { source: 'none' | 'partial' | 'complete' }) {
  return source === 'partial' && <p className="small dim">{t('source.partial')}</p>;
}
