import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { UpgradeDialog } from './upgrade-dialog.tsx';

/** Maximum number of images (contract: `firmwareLimits.images`). */
const max = 50;

export function UpgradeChosen(props: { serials: readonly string[]; onClose: () => void; done: () => void }) {
  const { serials, onClose } = props;
  const { data, error, refetch } = useRead('/api/v3/firmware/image/list', {
    page: 1,
    limit: max,
    serials: [...serials],
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const images = data?.list.filter(({ ready }) => ready) ?? [];
  // default: the newest image that some device does not run
  const image = images.find(({ id }) => id === chosen) ?? images.find(({ other }) => other > 0) ?? images[0];
  if (!image) {
    return (
      <Dialog
        title={t('firmware.upgrade')}
        onClose={onClose}
        foot={<Button onClick={onClose}>{t('action.close')}</Button>}
      >
        {error ? (
          <Failed error={error} retry={() => void refetch()} small />
        ) : (
          <Loading until={data !== undefined} lines={4}>
            <Empty
              icon="box"
              title={t('firmware.none_fits')}
              actions={<Link to="/logs/upgrade?tab=images">{t('firmware.tab_images')}</Link>}
              small
            >
              {t('firmware.none_fits_body')}
            </Empty>
          </Loading>
        )}
      </Dialog>
    );
  }
  const choice = (
    <SelectField
      label={t('firmware.image')}
      value={image.id}
      options={images.map(({ id, version, models, other, devices }) => ({
        value: id,
        label: `${version} · ${models.join(t('list.between'))} · ${t('firmware.of', { n: other, all: devices })}`,
      }))}
      onChange={setChosen}
    />
  );
  return <UpgradeDialog image={image} among={serials} before={choice} onClose={onClose} done={props.done} />;
}
