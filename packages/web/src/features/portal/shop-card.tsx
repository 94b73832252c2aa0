import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { changedFields } from '../../ui/changed-fields.ts';
import { Failed } from '../../ui/empty.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { PictureField } from '../portal-templates/index.ts';

const path = '/api/v3/auth_template/shop/detail';
type Shop = Data<typeof path>;

/** Placeholders of a template's texts in this network: one template serves many shops. */
export function ShopCard({ gwid }: { gwid: string }) {
  const { data, error, refetch } = useRead(path, { gwid });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={160} />;
  return <ShopFields key={JSON.stringify(data)} gwid={gwid} shop={data} />;
}

const maxName = 60;
const maxPhone = 32;

function ShopFields({ gwid, shop }: { gwid: string; shop: Shop }) {
  const may = useMay('config.write');
  // pictures belong to the whole account
  const { gwids } = useUser();
  const [name, setName] = useState(shop.name);
  const [phone, setPhone] = useState(shop.phone);
  const [logo, setLogo] = useState(shop.picture);
  const form = useForm<'name' | 'phone' | 'logo'>();
  const save = () =>
    form.send({}, async () => {
      const given = { name, phone, logo: logo?.id ?? null };
      await call('/api/v3/auth_template/shop/save', { gwid, ...changedFields(given, shop) });
      notify('ok', t('site_portal.shop_saved'));
      await queryClient.invalidateQueries({ queryKey: [path] });
    });
  return (
    <Card title={t('site_portal.shop')}>
      <div className="stack portal-fields" ref={form.fields}>
        <p className="small dim">{t('site_portal.shop_about')}</p>
        <TextField
          label={t('site_portal.shop_name')}
          hint={t('site_portal.shop_name_hint', { network: shop.network })}
          value={name}
          onChange={setName}
          maxLength={maxName}
          error={form.wrong.name}
          disabled={!may}
        />
        <TextField
          label={t('site_portal.shop_phone')}
          value={phone}
          onChange={setPhone}
          maxLength={maxPhone}
          error={form.wrong.phone}
          disabled={!may}
        />
        {may && !gwids && (
          <PictureField
            label={t('site_portal.shop_logo')}
            slot="logo"
            picture={logo ?? undefined}
            hint={t('site_portal.shop_logo_hint')}
            error={form.wrong.logo}
            onUploaded={setLogo}
            onRemove={() => setLogo(null)}
          />
        )}
        {may && (
          <div className="row">
            <Button onClick={save} busy={form.busy}>
              {t('site_portal.save')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
