import { t } from '../../../app/i18n.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ask } from '../../../ui/dialog-host.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { notifyError } from '../../../ui/toast.tsx';

interface Props {
  coupon: { name: string; code: string; enabled: boolean; ended_at: string | null };
  onEdit: () => void;
  turn(enabled: boolean): Promise<unknown>;
  end(): Promise<unknown>;
}

export function CouponMenu({ coupon: { name, code, enabled, ended_at }, onEdit, turn, end }: Props) {
  if (ended_at) return null;
  const label = t('goods.coupon_acts', { code });
  const askEnd = () =>
    ask({
      title: t('goods.coupon_end_title', { name }),
      body: t('goods.coupon_end_body'),
      confirm: t('goods.coupon_end'),
      danger: true,
      act: async () => {
        await end();
      },
    });
  return (
    <Menu
      label={label}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[
        { label: t('goods.coupon_edit'), icon: 'edit', act: onEdit },
        {
          label: t(enabled ? 'goods.switch_off' : 'goods.switch_on'),
          icon: enabled ? 'pause' : 'play',
          act: () => void turn(!enabled).catch(notifyError),
        },
        { label: t('goods.coupon_end'), icon: 'close', danger: true, act: askEnd },
      ]}
    />
  );
}
