import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from 'samlify';
import type { SamlSettings } from '../../src/company/connection.ts';
import { createSigner, emailFormat, freshId } from './responses.ts';

// A company's identity provider with another SAML library (samlify), so that both sides of the protocol are independent.

const { redirect: redirectBinding, post: postBinding } = Constants.namespace.binding;
// samlify requires a schema validator. None is needed here, because it reads only signed messages of this service.
setSchemaValidator({ validate: () => Promise.resolve('not validated by a schema') });

export type Employee = { nameId: string; mail: string; firstName: string; lastName: string };
export const erin: Employee = {
  nameId: 'employee@corp.example',
  mail: 'employee@corp.example',
  firstName: 'Erin',
  lastName: 'Ployee',
};

export type SamlCompany = {
  /** The settings of a connection to this provider. */
  settings: SamlSettings;
  /** The employee who signs in. */
  employee: Employee;
  sessionIndex: string;
  /** Whether the provider encrypts its assertions with the key in the service's metadata. */
  encrypts: boolean;
  /** The received authentication requests. */
  asked: { id: string; forceAuthentication: boolean }[];
  /** The received sign-out requests and responses. */
  told: { kind: 'request' | 'response'; nameId?: string | undefined }[];
  /** Registers the service by its metadata. */
  register: (metadata: string) => void;
  /** Signs in with a browser, and returns the form that it submits to the service. */
  visit: (
    address: string,
    /** The form that the browser submits to the provider. */
    posted?: Record<string, string>,
  ) => Promise<{ action: string; fields: Record<string, string> }>;
  /** The redirect that signs the employee out of the service. */
  logoutAddress: () => string;
  /** Follows a redirect to the provider with a sign-out request or response. */
  bring: (address: string) => Promise<void>;
  close: () => Promise<void>;
};

const responseTemplate = SamlLib.defaultLoginResponseTemplate.context.replace(
  '{AuthnStatement}',
  '<saml:AuthnStatement AuthnInstant="{AuthnInstant}" SessionIndex="{SessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>',
);
const basic = { nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic', valueXsiType: 'xs:string' };

export async function startSamlCompany(): Promise<SamlCompany> {
  const { privateKey, certificate } = createSigner('Corp');
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const entityId = `${origin}/metadata`;

  const provider = IdentityProvider({
    entityID: entityId,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signingCert: certificate,
    wantAuthnRequestsSigned: true,
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
    requestSignatureAlgorithm: Constants.algorithms.signature.RSA_SHA256,
    nameIDFormat: [emailFormat],
    singleSignOnService: [
      { Binding: redirectBinding, Location: `${origin}/sso` },
      { Binding: postBinding, Location: `${origin}/sso` },
    ],
    singleLogoutService: [{ Binding: redirectBinding, Location: `${origin}/slo` }],
    loginResponseTemplate: {
      context: responseTemplate,
      attributes: [
        { ...basic, name: 'mail', valueTag: 'mail' },
        { ...basic, name: 'givenName', valueTag: 'first' },
        { ...basic, name: 'sn', valueTag: 'last' },
      ],
    },
  });
  let service: ReturnType<typeof ServiceProvider> | undefined;
  const requireService = () => {
    if (service === undefined) throw new Error('the service is not registered');
    return service;
  };

  const company: SamlCompany = {
    settings: {
      issuer: entityId,
      entryPoint: `${origin}/sso`,
      logoutUrl: `${origin}/slo`,
      certificates: [certificate],
      emailAttribute: 'mail',
      firstNameAttribute: 'givenName',
      lastNameAttribute: 'sn',
      nameIdFormat: emailFormat,
    },
    employee: erin,
    sessionIndex: 'session-1',
    encrypts: false,
    asked: [],
    told: [],
    register(metadata) {
      service = ServiceProvider({
        metadata,
        wantLogoutRequestSigned: true,
        wantLogoutResponseSigned: true,
        wantMessageSigned: true,
      });
    },
    async visit(target, posted) {
      const sent = posted && { method: 'POST', body: new URLSearchParams(posted) };
      const page = await (await fetch(target, sent)).text();
      const action = /<form method="post" action="([^"]*)"/.exec(page)?.[1];
      if (action === undefined) throw new Error(`the identity provider answered ${page}`);
      const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
      return {
        action,
        fields: Object.fromEntries(
          fields.map(([, name = '', value = '']): [string, string] => [name, value]),
        ),
      };
    },
    logoutAddress: () =>
      provider.createLogoutRequest(requireService(), 'redirect', {
        logoutNameID: company.employee.nameId,
        sessionIndex: company.sessionIndex,
      }).context,
    async bring(target) {
      const page = await (await fetch(target)).text();
      if (page !== 'thank you') throw new Error(`the identity provider answered ${page}`);
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        // Closes the connections that browsers keep open.
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', origin);
      if (url.pathname === '/favicon.ico') {
        response.writeHead(204).end();
        return;
      }
      const page = url.pathname === '/sso' ? await signIn(url, await text(request)) : await signOut(url);
      response.setHeader('content-type', 'text/html').end(page);
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  }

  async function signIn(url: URL, posted: string): Promise<string> {
    const body = Object.fromEntries(new URLSearchParams(posted));
    const read =
      posted === ''
        ? await provider.parseLoginRequest(requireService(), 'redirect', readQuery(url))
        : await provider.parseLoginRequest(requireService(), 'post', { body });
    const extracted = read.extract as { request?: { id?: string } };
    const id = extracted.request?.id ?? '';
    company.asked.push({ id, forceAuthentication: / ForceAuthn="true"/.test(read.samlContent) });
    const { employee, encrypts } = company;
    Object.assign(provider.entitySetting, {
      isAssertionEncrypted: encrypts,
      dataEncryptionAlgorithm: Constants.algorithms.encryption.data.AES_128_GCM,
    });
    const made = await provider.createLoginResponse(
      requireService(),
      { extract: read.extract },
      'post',
      { email: employee.nameId },
      (template) => {
        const now = new Date();
        const later = new Date(now.getTime() + 5 * 60_000).toISOString();
        const acsUrl = String(requireService().entityMeta.getAssertionConsumerService('post'));
        return {
          id: freshId(),
          context: SamlLib.replaceTagsByValue(template, {
            ID: freshId(),
            AssertionID: freshId(),
            IssueInstant: now.toISOString(),
            AuthnInstant: now.toISOString(),
            SessionIndex: company.sessionIndex,
            Issuer: entityId,
            Destination: acsUrl,
            SubjectRecipient: acsUrl,
            Audience: requireService().entityMeta.getEntityID(),
            InResponseTo: id,
            StatusCode: Constants.StatusCode.Success,
            ConditionsNotBefore: now.toISOString(),
            ConditionsNotOnOrAfter: later,
            SubjectConfirmationDataNotOnOrAfter: later,
            NameIDFormat: emailFormat,
            NameID: employee.nameId,
            attrMail: employee.mail,
            attrFirst: employee.firstName,
            attrLast: employee.lastName,
          }),
        };
      },
      encrypts,
    );
    return `<form method="post" action="${String(requireService().entityMeta.getAssertionConsumerService('post'))}"><input type="hidden" name="SAMLResponse" value="${made.context}"><button>Go on as ${employee.nameId}</button></form>`;
  }

  async function signOut(url: URL): Promise<string> {
    if (url.searchParams.has('SAMLResponse')) {
      await provider.parseLogoutResponse(requireService(), 'redirect', readQuery(url));
      company.told.push({ kind: 'response' });
    } else {
      const read = await provider.parseLogoutRequest(requireService(), 'redirect', readQuery(url));
      const { nameID } = read.extract as { nameID?: string };
      company.told.push({ kind: 'request', nameId: nameID });
    }
    return 'thank you';
  }
  return company;
}

/** The parameters, and the signed characters, as samlify expects them. */
function readQuery(url: URL): { query: Record<string, string>; octetString: string } {
  const signed = url.search
    .slice(1)
    .split('&')
    .filter((part) => !part.startsWith('Signature='));
  return { query: Object.fromEntries(url.searchParams), octetString: signed.join('&') };
}
