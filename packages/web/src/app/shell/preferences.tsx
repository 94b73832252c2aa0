import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { locale, t } from '../i18n.ts';
import { changeLanguage } from '../language.ts';
import { setTheme, useTheme } from '../theme.ts';

const names = { 'zh-CN': '简体中文', en: 'English' } as const;

/** For phones. */
export function usePreferenceItems(): MenuItem[] {
  const dark = useTheme() === 'dark';
  const other = locale() === 'en' ? 'zh-CN' : 'en';
  return [
    { label: names[other], icon: 'globe', act: () => changeLanguage(other) },
    {
      label: t(dark ? 'header.theme_light' : 'header.theme_dark'),
      icon: dark ? 'sun' : 'moon',
      act: () => setTheme(dark ? 'light' : 'dark'),
    },
  ];
}

/** For visitors, who have no language yet: offers the other one by its own name. */
export function OtherLanguage() {
  const other = locale() === 'en' ? 'zh-CN' : 'en';
  return (
    <Button kind="quiet" icon="globe" lang={other} onClick={() => changeLanguage(other)}>
      {names[other]}
    </Button>
  );
}

export function LanguageMenu() {
  const now = locale();
  return (
    <Menu
      width={150}
      label={t('header.language')}
      target={(trigger) => (
        <Button kind="quiet" icon="globe" hint={t('header.language')} {...trigger}>
          <span className="wide-only">{names[now]}</span>
        </Button>
      )}
      items={[
        { label: names['zh-CN'], checked: now === 'zh-CN', act: () => changeLanguage('zh-CN') },
        { label: names.en, checked: now === 'en', act: () => changeLanguage('en') },
      ]}
    />
  );
}

export function ThemeButton() {
  const dark = useTheme() === 'dark';
  return (
    <IconButton
      icon={dark ? 'sun' : 'moon'}
      label={dark ? t('header.theme_light') : t('header.theme_dark')}
      onClick={() => setTheme(dark ? 'light' : 'dark')}
    />
  );
}
