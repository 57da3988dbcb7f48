import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProviderMetadata } from '@anteroom/identity/company/saml/provider-metadata';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { createSigner } from '../../../identity/testing/saml/responses.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { requirePackages, startProgram } from '../../fixtures/debian-program.ts';
import {
  expectRefused,
  expectSignedIn,
  expectSignedOut,
  goToCompany,
  settingsFrom,
} from '../../fixtures/sign-in-over-company.ts';
import { test } from '../../fixtures/test.ts';

/** Built-in demonstration accounts, whose password is the name. */
const accounts = { employee: 'dwho', contractor: 'rtyler' };

/**
 * A subdomain of `localhost`, which browsers resolve themselves; they would store no cookie for a domain with a single
 * label.
 */
const host = 'company.localhost';

/** Writes numbered configurations. The portal checks for a newer one at each request. */
function createConfiguration(folder: string, url: string) {
  const { privateKey, certificate } = createSigner('LemonLDAP::NG');
  const store = (name: string) => {
    mkdirSync(join(folder, name, 'lock'), { recursive: true });
    return {
      Directory: join(folder, name),
      LockDirectory: join(folder, name, 'lock'),
      generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
    };
  };
  const settings = {
    cfgVersion: '2.16.1',
    portal: `${url}/`,
    domain: host,
    // the cross-site frame of a sign-out requires secure cookies, which browsers accept for this host without TLS
    securedCookie: 1,
    authentication: 'Demo',
    userDB: 'Same',
    passwordDB: 'Null',
    registerDB: 'Null',
    demoExportedVars: { cn: 'cn', uid: 'uid' },
    macros: {
      // the e-mail addresses, which a real installation has in its directory
      address: `$uid eq '${accounts.employee}' ? 'employee@corp.example' : 'contractor@partner.example'`,
    },
    whatToTrace: 'uid',
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: store('sessions'),
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: store('users'),
    localSessionStorage: 'Cache::FileCache',
    localSessionStorageOptions: { cache_root: join(folder, 'cache'), namespace: 'sessions' },
    locationRules: {},
    exportedHeaders: {},
    key: 'only for this journey',
    issuerDBSAMLActivation: 1,
    samlEntityID: '#PORTAL#/saml/metadata',
    samlServicePrivateKeySig: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    samlServicePublicKeySig: certificate,
    samlServiceSignatureMethod: 'RSA_SHA256',
  };
  let number = 0;
  return (more: object): void => {
    number += 1;
    writeFileSync(
      join(folder, `lmConf-${number}.json`),
      JSON.stringify({ cfgNum: number, cfgDate: number, ...settings, ...more }),
    );
  };
}

/**
 * Starts the identity provider. Each side reads the metadata of the other, as `anteroom connections guide corp
 * lemonldap` describes.
 */
async function startCompany(
  { identity, connectCompany }: Product,
  addCleanup: (end: () => Promise<void> | void) => void,
): Promise<string> {
  const port = await findFreePort();
  const url = `http://${host}:${port}`;
  const local = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-lemonldap-'));
  addCleanup(() => rmSync(folder, { recursive: true }));
  const configure = createConfiguration(folder, url);
  configure({});
  const storage = `{ 'cache_root' => '${join(folder, 'cache')}', 'namespace' => 'settings' }`;
  writeFileSync(
    join(folder, 'portal.ini'),
    `[all]
logLevel = error
checkTime = -1
[configuration]
type = File
dirName = ${folder}
localStorage = Cache::FileCache
localStorageOptions = ${storage}
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
`,
  );
  const program = join(import.meta.dirname, 'lemonldap/portal.psgi');
  addCleanup(
    await startProgram(
      'plackup',
      ['--host', '127.0.0.1', '--port', String(port), '-E', 'deployment', program],
      {
        url: local,
        env: {
          LLNG_DEFAULTCONFFILE: join(folder, 'portal.ini'),
          LLNG_DEFAULTLOGGER: 'Lemonldap::NG::Common::Logger::Std',
        },
      },
    ),
  );
  const metadata = await fetch(`${local}/saml/metadata`);
  await connectCompany({
    kind: 'saml',
    site: 'corp',
    domain: 'corp.example',
    settings: settingsFrom(readProviderMetadata(await metadata.text(), new Date())),
  });
  const service = await fetch(`${identity.url}/saml/metadata/corp`);
  configure({
    samlSPMetaDataXML: { anteroom: { samlSPMetaDataXML: await service.text() } },
    samlSPMetaDataOptions: {
      anteroom: {
        samlSPMetaDataOptionsNameIDFormat: 'persistent',
        samlSPMetaDataOptionsEncryptionMode: 'none',
        samlSPMetaDataOptionsSignSSOMessage: 1,
        samlSPMetaDataOptionsSignSLOMessage: 1,
        samlSPMetaDataOptionsCheckSSOMessageSignature: 1,
        samlSPMetaDataOptionsCheckSLOMessageSignature: 1,
      },
    },
    samlSPMetaDataExportedAttributes: {
      anteroom: { address: '1;mail', cn: '1;givenName', uid: '1;sn' },
    },
  });
  return url;
}

async function signIn(page: Page, product: Product, who: keyof typeof accounts): Promise<void> {
  await goToCompany(page, product);
  await page.locator('input[name="user"]').fill(accounts[who]);
  await page.locator('input[name="password"]').fill(accounts[who]);
  await page.locator('button[type="submit"]').click();
}

test(
  'an employee signs in over LemonLDAP::NG and can sign out on either side; a user of another domain is refused',
  { annotation: { type: 'peer', description: 'LemonLDAP::NG' } },
  async ({ page, product, addCleanup, noise }, testInfo) => {
    requirePackages(testInfo, [
      'lemonldap-ng',
      'liblasso-perl',
      'libio-string-perl',
      'libxml-simple-perl',
      'libgd-securityimage-perl',
      'libimage-magick-perl',
    ]);
    const url = await startCompany(product, addCleanup);
    await signIn(page, product, 'employee');
    await expectSignedIn(page, product);
    const answered = page.waitForResponse(/\/saml\/slo\/.*SAMLResponse=/);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await answered;

    // the company requests the password again
    await signIn(page, product, 'employee');
    await expectSignedIn(page, product);
    await page.goto(`${url}/?logout=1`);
    await expectSignedOut(page, product);

    await page.context().clearCookies();
    await signIn(page, product, 'contractor');
    await expectRefused(page);
    // the provider forbids framing of its answer to a sign-out
    noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('frame-ancestors')));
  },
);
