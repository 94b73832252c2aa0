import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { locale, t } from '../i18n.ts';
import { changeLanguage } from '../language.ts';
import { setTheme, useTheme } from '../theme.ts';

export function LanguageMenu() {
  const now = locale();
  return (
    <Menu
      width={150}
      label={t('header.language')}
      target={(trigger) => (
        <Button kind="quiet" icon="globe" hint={t('header.language')} {...trigger}>
          <span className="wide-only">{now === 'en' ? 'English' : '简体中文'}</span>
        </Button>
      )}
      items={[
        { label: '简体中文', checked: now === 'zh-CN', act: () => changeLanguage('zh-CN') },
        { label: 'English', checked: now === 'en', act: () => changeLanguage('en') },
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
