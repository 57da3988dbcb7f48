import type { Page } from '@playwright/test';

const samples: Readonly<Record<string, string>> = {
  en: 'Sign in to Northwind Holdings',
  ar: 'تسجيل الدخول إلى اللوحة',
  ja: '取締役会にサインインする',
  zh: '登录董事会门户',
  he: 'כניסה אל הדירקטוריון',
};

/** What decides how letters look: the major version of the browser, and the width of a sample line in each script. */
export async function readRenderer(page: Page): Promise<string> {
  const widths = await page.evaluate((texts) => {
    const line = document.createElement('span');
    // positioned absolutely, so that the line is as wide as its text
    line.style.setProperty('position', 'absolute');
    line.style.setProperty('white-space', 'nowrap');
    line.style.setProperty('font-family', 'system-ui, sans-serif');
    document.documentElement.append(line);
    return Object.entries(texts).map(([language, text]) => {
      line.lang = language;
      line.textContent = text;
      return `${language} ${Math.round(line.getBoundingClientRect().width)}`;
    });
  }, samples);
  const [major] = page.context().browser()?.version().split('.') ?? [];
  return `Chromium ${major}, widths of sample lines: ${widths.join(', ')}\n`;
}
