import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSmtpMail } from './mail-smtp.ts';

const mail = {
  id: 'mail-1',
  to: 'director@demo.example',
  subject: 'تم تغيير كلمة المرور',
  text: 'Hello.\nBye.',
};
const received: { from: string; to: string[]; content: string }[] = [];
let server: SMTPServer;
let url = '';

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      callback(
        address.startsWith('nobody@')
          ? Object.assign(new Error('no such user'), { responseCode: 550 })
          : null,
      );
    },
    onData(stream, session, callback) {
      let content = '';
      stream.on('data', (part: Buffer) => (content += part.toString()));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          content,
        });
        callback();
      });
    },
  });
  url = await new Promise<string>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(`smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
    });
  });
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

test('a mail reaches a mail server with sender, subject and text', async () => {
  await createSmtpMail({ url, from: 'Anteroom <no-reply@id.example>' }).send(mail);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: 'no-reply@id.example', to: ['director@demo.example'] });
  expect(received[0]?.content).toContain('Message-ID: <mail-1@anteroom>');
  expect(received[0]?.content).toMatch(/Subject: =\?UTF-8\?/);
  expect(received[0]?.content).toContain('Hello.');
});

test('a subject cannot smuggle in another recipient', async () => {
  received.length = 0;
  await createSmtpMail({ url, from: 'no-reply@id.example' }).send({
    ...mail,
    subject: 'x\r\nBcc: victim@evil.test',
  });
  expect(received[0]?.to).toEqual(['director@demo.example']);
  expect(received[0]?.content).not.toMatch(/^Bcc:/m);
});

test('an address that the server does not know is an invalid recipient, and its words stay out of the error', async () => {
  const sending = createSmtpMail({ url, from: 'no-reply@id.example' }).send({
    ...mail,
    to: 'nobody@demo.example',
  });
  await expect(sending).rejects.toMatchObject({ failure: 'invalid-recipient', mayHaveArrived: false });
  await expect(sending).rejects.not.toThrow(/nobody@demo/);
});

test('a server that is not there is unavailable', async () => {
  const sending = createSmtpMail({ url: 'smtp://127.0.0.1:9', from: 'no-reply@id.example' }).send(mail);
  await expect(sending).rejects.toMatchObject({ failure: 'unavailable', mayHaveArrived: false });
});
