import { useState } from 'react';
import { locale, t } from '../../app/i18n.ts';
import { Choice } from '../../ui/choice.tsx';
import { PortalPreview, type PreviewProps } from './portal-preview.tsx';
import './portal-templates.css';

export function Phone(props: Omit<PreviewProps, 'language' | 'dark'>) {
  const [language, setLanguage] = useState<'zh' | 'en'>(locale() === 'en' ? 'en' : 'zh');
  const [dark, setDark] = useState<'light' | 'dark'>('light');
  const [width, setWidth] = useState(390);
  return (
    <div className="phone-area">
      <div className="row phone-choices">
        <Choice
          label={t('portal.language')}
          hideLabel
          value={language}
          options={[
            { value: 'zh', label: t('portal.zh') },
            { value: 'en', label: t('portal.en') },
          ]}
          onChange={setLanguage}
        />
        <Choice
          label={t('portal.appearance')}
          hideLabel
          value={dark}
          options={[
            { value: 'light', label: t('portal.light') },
            { value: 'dark', label: t('portal.dark') },
          ]}
          onChange={setDark}
        />
        <Choice
          label={t('portal.width')}
          hideLabel
          value={width}
          options={[320, 390].map((value) => ({ value, label: t('portal.pixels', { n: value }) }))}
          onChange={setWidth}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long page must scroll by keyboard too */}
      <section className="phone" style={{ width }} tabIndex={0} aria-label={t('portal.preview')}>
        <PortalPreview {...props} language={language} dark={dark === 'dark'} />
      </section>
      {props.methods.includes('purchase') && <p className="small dim phone-note">{t('portal.preview_purchase')}</p>}
    </div>
  );
}
