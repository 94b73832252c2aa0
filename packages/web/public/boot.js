// Runs before the first paint (the Content-Security-Policy allows no inline script): sets language and theme on the
// document, and asks for the language's texts together with the program instead of after it.
(() => {
  const root = document.documentElement;
  let language = 'zh-CN';
  let theme = 'light';
  try {
    if (localStorage.getItem('yunxun.language') === 'en') language = 'en';
    const choice = sessionStorage.getItem('yunxun.theme');
    const follows = choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches;
    if (choice === 'dark' || follows) theme = 'dark';
  } catch {
    // Storage can be switched off; the defaults stand.
  }
  root.lang = language;
  root.dataset.theme = theme;
  document.title = language === 'en' ? 'Yunxun' : '云巡';
  const chunks = document.querySelector(`meta[name="chunk:${language}"]`)?.content;
  for (const href of chunks ? chunks.split(' ') : []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
})();
