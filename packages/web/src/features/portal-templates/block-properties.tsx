import { textOn } from '@yunxun/portal';
import { t } from '../../app/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { Field, SwitchField, TextField } from '../../ui/field.tsx';
import { bytes } from '../../ui/format.ts';
import { NumberField } from '../../ui/rule-fields.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import type { Wrong } from '../../ui/use-form.ts';
import { bounds, type PageDraft, type Picture, type Slot } from './draft.ts';
import { moved } from './order.ts';
import { PictureField } from './picture-field.tsx';

export const blocks = ['texts', 'logo', 'background', 'carousel', 'countdown', 'terms', 'colour'] as const;
export type Block = (typeof blocks)[number];

interface Props {
  page: PageDraft;
  pictures: readonly Picture[];
  wrong: Wrong<string>;
  /** Consecutive changes under one `key` are one undo step. */
  change: (part: Partial<PageDraft>, key: string) => void;
  onUploaded: (picture: Picture) => void;
}

export function BlockProperties({ block, ...props }: Props & { block: Block }) {
  if (block === 'texts') return <Texts {...props} />;
  if (block === 'terms')
    return (
      <div className="stack stack-s">
        <p className="small dim">{t('portal.terms_hint')}</p>
        <Bilingual {...props} field="terms" />
      </div>
    );
  if (block === 'colour') return <Colour {...props} />;
  return <PictureBlock {...props} slot={block} />;
}

function Texts(props: Props) {
  const { page, wrong, change } = props;
  return (
    <div className="stack stack-s">
      <p className="small dim">{t('portal.variables_hint')}</p>
      <TextField
        label={t('portal.title_zh')}
        value={page.title.zh}
        rule="required"
        maxLength={bounds.title}
        error={wrong['page.title.zh']}
        onChange={(zh) => change({ title: { ...page.title, zh } }, 'title.zh')}
      />
      <TextField
        label={t('portal.title_en')}
        value={page.title.en}
        maxLength={bounds.title}
        hint={t('portal.english_hint')}
        error={wrong['page.title.en']}
        onChange={(en) => change({ title: { ...page.title, en } }, 'title.en')}
      />
      <Bilingual {...props} field="text" />
    </div>
  );
}

function Bilingual({ page, wrong, change, field }: Props & { field: 'text' | 'terms' }) {
  return (['zh', 'en'] as const).map((language) => (
    <TextAreaField
      key={language}
      label={t(`portal.${field}_${language}`)}
      hint={language === 'en' ? t('portal.english_hint') : undefined}
      error={wrong[`page.${field}.${language}`]}
      rows={5}
      maxLength={bounds.text}
      value={page[field][language]}
      onChange={(text) => change({ [field]: { ...page[field], [language]: text } }, `${field}.${language}`)}
    />
  ));
}

function Colour({ page, wrong, change }: Props) {
  const { text, ratio } = textOn(page.colour);
  return (
    <div className="stack stack-s">
      <Field label={t('portal.colour')} error={wrong['page.colour']}>
        {({ id }) => (
          <input
            id={id}
            type="color"
            className="portal-colour"
            value={page.colour}
            onChange={(event) => change({ colour: event.target.value.toLowerCase() }, 'colour')}
          />
        )}
      </Field>
      <p className="small" role="status">
        {t(text === '#000000' ? 'portal.contrast_black' : 'portal.contrast_white', { ratio: ratio.toFixed(1) })}
      </p>
    </div>
  );
}

function PictureBlock({ page, pictures, wrong, change, onUploaded, slot }: Props & { slot: Slot }) {
  const find = (id: string | null) => pictures.find((picture) => picture.id === id);
  const label = t('portal.picture');
  const put = (part: (picture: Picture) => Partial<PageDraft>) => (picture: Picture) => {
    onUploaded(picture);
    change(part(picture), `${slot}.${picture.id}`);
  };
  return (
    <div className="stack stack-s">
      <SwitchField
        checked={page.on[slot]}
        onChange={(on) => change({ on: { ...page.on, [slot]: on } }, `on.${slot}.${on}`)}
      >
        {t('portal.block_on')}
      </SwitchField>
      {page.on[slot] &&
        (slot === 'carousel' ? (
          <Slides
            page={page}
            find={find}
            error={Object.entries(wrong).find(([field, text]) => field.startsWith('page.carousel') && text)?.[1]}
            put={put((picture) => ({ carousel: [...new Set([...page.carousel, picture.id])] }))}
            onChange={(carousel) => change({ carousel }, `carousel.${carousel.join()}`)}
          />
        ) : slot === 'countdown' ? (
          <>
            <PictureField
              label={label}
              slot={slot}
              picture={find(page.countdown.picture)}
              error={wrong['page.countdown'] ?? wrong['page.countdown.picture']}
              hint={t('portal.picture_hint')}
              onUploaded={put(({ id }) => ({ countdown: { ...page.countdown, picture: id } }))}
            />
            <NumberField
              label={t('portal.seconds')}
              min={bounds.seconds[0]}
              max={bounds.seconds[1]}
              value={page.countdown.seconds}
              error={wrong['page.countdown.seconds']}
              onChange={(seconds) => change({ countdown: { ...page.countdown, seconds } }, 'seconds')}
            />
          </>
        ) : (
          <PictureField
            label={label}
            slot={slot}
            picture={find(page[slot])}
            error={wrong[`page.${slot}`]}
            hint={t('portal.picture_hint')}
            onUploaded={put(({ id }) => ({ [slot]: id }))}
          />
        ))}
    </div>
  );
}

function Slides(props: {
  page: PageDraft;
  find: (id: string) => Picture | undefined;
  error: string | null | undefined;
  put: (picture: Picture) => void;
  onChange: (carousel: string[]) => void;
}) {
  const { page, find, error, put, onChange } = props;
  const ids = page.carousel;
  return (
    <>
      <ol className="portal-slides">
        {ids.map((id, index) => (
          <li key={id} className="row picture-now">
            <img src={find(id)?.url} alt={t('portal.picture_n', { n: index + 1 })} />
            <span className="small dim">{bytes(find(id)?.bytes ?? 0)}</span>
            <IconButton
              icon="chevron_up"
              label={t('portal.move_up', { method: t('portal.picture_n', { n: index + 1 }) })}
              disabled={index === 0}
              onClick={() => onChange(moved(ids, index, index - 1))}
            />
            <IconButton
              icon="trash"
              label={t('portal.remove_method', { method: t('portal.picture_n', { n: index + 1 }) })}
              onClick={() => onChange(ids.filter((one) => one !== id))}
            />
          </li>
        ))}
      </ol>
      {ids.length < bounds.carousel && (
        <PictureField
          key={ids.length}
          label={t('portal.picture_n', { n: ids.length + 1 })}
          slot="carousel"
          picture={undefined}
          error={error}
          hint={t('portal.carousel_hint')}
          onUploaded={put}
        />
      )}
    </>
  );
}
