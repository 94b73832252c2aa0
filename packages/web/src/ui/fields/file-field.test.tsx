import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en, zh } from '../../messages/all.ts';
import { FileField } from './file-field.tsx';

const shown = () => renderToStaticMarkup(<FileField label="File" error={null} onChoose={() => {}} />);

test('the button has the language of the page, and the browser adds no words of its own', () => {
  install('zh-CN', zh);
  expect(shown()).toContain('选择文件');
  install('en', en);
  const html = shown();
  expect(html).toContain('Choose file');
  expect(html).toMatch(/<input[^>]* type="file"[^>]* title=""/);
});
