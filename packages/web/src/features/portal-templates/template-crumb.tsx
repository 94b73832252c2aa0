import { t } from '../../app/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';

export function Crumb() {
  return (
    <Link to="/config/template_manage" className="crumb">
      {t('config.template_manage')}
      <Icon name="chevron_right" size={13} />
    </Link>
  );
}
