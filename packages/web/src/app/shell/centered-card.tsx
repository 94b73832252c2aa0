import type { ReactNode } from 'react';
import { Link } from '../../ui/link.tsx';
import { t } from '../i18n.ts';
import { Mark } from './mark.tsx';
import { LanguageMenu, ThemeButton } from './preferences.tsx';
import './slip.css';

export function CenteredCard({ children }: { children: ReactNode }) {
  return (
    <div className="slip">
      <header className="slip-bar">
        <Brand to="/" />
        <LanguageMenu />
        <ThemeButton />
      </header>
      <main className="slip-card">{children}</main>
    </div>
  );
}

export function Brand({ to }: { to: '/' | '/login' }) {
  return (
    <Link to={to} className="slip-brand">
      <Mark />
      {t('product.name')}
    </Link>
  );
}
