import { install } from './app/i18n.ts';
import { currentLanguage } from './app/language.ts';
import { start } from './app/start.tsx';
import './styles/index.css';

const language = currentLanguage();
const { messages } = language === 'en' ? await import('./messages/en.ts') : await import('./messages/zh-cn.ts');
install(language, messages);
start();
