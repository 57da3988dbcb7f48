import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeMailServer } from '../../testing/fake-mail-server.ts';
import type { FakeMailServer } from '../../testing/fake-mail-server.ts';
import { createSmtpMail } from './mail-smtp.ts';

const mail = {
  id: 'mail-1',
  to: 'director@demo.example',
  subject: 'تم تغيير كلمة المرور',
  text: 'Hello.\nBye.',
};
let server: FakeMailServer;

beforeAll(async () => {
  server = await startFakeMailServer();
});
afterAll(() => server.close());

test('the mail server receives sender, subject and text', async () => {
  await createSmtpMail({
    url: server.url,
    from: 'Anteroom <no-reply@id.example>',
    clientName: 'signin.id.example',
  }).send(mail);
  expect(server.received).toHaveLength(1);
  expect(server.received[0]).toMatchObject({ from: 'no-reply@id.example', to: ['director@demo.example'] });
  expect(server.received[0]?.content).toContain('Message-ID: <mail-1@signin.id.example>');
  expect(server.received[0]?.content).toMatch(/Subject: =\?UTF-8\?/);
  expect(server.received[0]?.content).toContain('Hello.');
  expect(server.received[0]?.content).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(server.received[0]?.greeting).toBe('signin.id.example');
});

test.each(['localhost', '[::1]', 'id', 'xn--mnchen-3ya.example'])(
  'the mail server is greeted as %s',
  async (clientName) => {
    server.received.length = 0;
    await createSmtpMail({ url: server.url, from: 'no-reply@id.example', clientName }).send(mail);
    expect(server.received[0]?.greeting).toBe(clientName);
    expect(server.received[0]?.content).toContain(`Message-ID: <mail-1@${clientName}>`);
  },
);

test('an internationalised domain is sent in its ASCII form', async () => {
  server.received.length = 0;
  const from = 'Büro <no-reply@zürich.example>';
  await createSmtpMail({ url: server.url, from, clientName: 'id' }).send({
    ...mail,
    to: 'erika@münchen.example',
  });
  const [received] = server.received;
  expect(received?.content).toContain('From: =?UTF-8?');
  expect(received?.content).toContain('<no-reply@xn--zrich-kva.example>');
  expect(received?.content).toContain('To: erika@xn--mnchen-3ya.example');
});

test('a subject cannot inject another recipient', async () => {
  server.received.length = 0;
  await createSmtpMail({ url: server.url, from: 'no-reply@id.example', clientName: 'id' }).send({
    ...mail,
    subject: 'x\r\nBcc: victim@evil.test',
  });
  expect(server.received[0]?.to).toEqual(['director@demo.example']);
  expect(server.received[0]?.content).not.toMatch(/^Bcc:/m);
});

test('an address that the server does not know is an invalid recipient, and the error omits the server’s text', async () => {
  const sending = createSmtpMail({ url: server.url, from: 'no-reply@id.example', clientName: 'id' }).send({
    ...mail,
    to: 'nobody@demo.example',
  });
  await expect(sending).rejects.toMatchObject({ failure: 'invalid-recipient', mayHaveArrived: false });
  await expect(sending).rejects.not.toThrow(/nobody@demo/);
});

test('an unreachable server is reported as unavailable', async () => {
  const sending = createSmtpMail({
    url: 'smtp://127.0.0.1:9',
    from: 'no-reply@id.example',
    clientName: 'id',
  }).send(mail);
  await expect(sending).rejects.toMatchObject({ failure: 'unavailable', mayHaveArrived: false });
});
