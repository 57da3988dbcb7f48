import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Answer } from '../../testing/browser.ts';
import { readIdToken, redeem, signIn } from '../../testing/journeys.ts';
import { authorizeAddress } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();

beforeAll(async () => {
  const { database } = application().services;
  await addClients(database, {
    native: {
      application_type: 'native',
      redirect_uris: ['com.example.boards:/callback'],
      token_endpoint_auth_method: 'none',
    },
  });
});

/** Reads the form of a form_post page. */
function readForm({ text }: Answer) {
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    action: /<form method="post" action="([^"]*)"/.exec(text)?.[1],
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
  };
}

describe('response_mode=form_post', () => {
  test('returns a page that posts the code to the client, and keeps it out of the URL', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const request = authorizeAddress(portal, { response_mode: 'form_post' });
    const { address, answer } = await browser.follow(request.address);
    if (answer === undefined) throw new Error(`unexpected page: ${address.href}`);
    const { action, fields } = readForm(answer);
    expect(action).toBe(portal.redirectUri);
    expect(fields).toMatchObject({ state: request.state, iss: publicUrl });
    expect(address.href).not.toContain(fields['code']);
    const tokens = await redeem(application(), { ...request, code: fields['code'] ?? '' });
    expect(readIdToken(tokens)).toMatchObject({ nonce: request.nonce });
  });

  test('the page runs only its submit script and can post only to the client [S18]', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const { answer } = await browser.follow(authorizeAddress(portal, { response_mode: 'form_post' }).address);
    const script = /<script>([\s\S]*?)<\/script>/.exec(answer?.text ?? '')?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    const policy = answer?.headers['content-security-policy'] ?? '';
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).toContain(`'sha256-${hash}'`);
    expect(policy).toContain(`form-action ${new URL(portal.redirectUri).origin};`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer?.headers).toMatchObject({
      'referrer-policy': 'strict-origin',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    });
  });

  test('request values are escaped in the page [S06]', async () => {
    const state = `"><script>alert(1)</script><form action="https://evil.test/`;
    const { answer } = await application()
      .openBrowser()
      .follow(authorizeAddress(portal, { response_mode: 'form_post', prompt: 'none', state }).address);
    expect(answer?.text).not.toContain('<script>alert');
    expect(answer?.text.match(/<form/g)).toHaveLength(1);
    expect(answer?.text).toContain('&lt;script&gt;alert(1)');
  });

  test('returns errors in the same way', async () => {
    const changes = { response_mode: 'form_post', prompt: 'none' };
    const { answer } = await application().openBrowser().follow(authorizeAddress(portal, changes).address);
    expect(answer && readForm(answer)).toMatchObject({
      action: portal.redirectUri,
      fields: { error: 'login_required', iss: publicUrl },
    });
  });

  test.each([
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.test/' }],
    ['an unregistered client', { client_id: 'made-up' }],
  ])('posts nothing to %s', async (_name, changes) => {
    const { address, answer } = await application()
      .openBrowser()
      .follow(authorizeAddress(portal, { response_mode: 'form_post', ...changes }).address);
    expect(address.pathname).toBe('/ui/home/error');
    expect(answer?.text).not.toContain('<form');
  });

  test('is rejected for a native app, which cannot receive a form post', async () => {
    const { address, answer } = await application()
      .openBrowser()
      .follow(
        authorizeAddress(portal, {
          client_id: 'native',
          redirect_uri: 'com.example.boards:/callback',
          response_mode: 'form_post',
        }).address,
      );
    expect(address.pathname + (answer?.text ?? '')).toContain('requested response_mode is not allowed');
  });
});
