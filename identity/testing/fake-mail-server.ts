import { SMTPServer } from 'smtp-server';

export type FakeMailServer = {
  url: string;
  /** All received mails, the oldest first. */
  received: { from: string; to: string[]; content: string; greeting: string }[];
  /** Prefixes of addresses without a mailbox, for which the server answers 550. */
  unknown: Set<string>;
  close: () => Promise<void>;
};

/** Starts a mail server that accepts every recipient except `nobody@`. */
export async function startFakeMailServer(): Promise<FakeMailServer> {
  const received: FakeMailServer['received'] = [];
  const unknown = new Set(['nobody@']);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      const isUnknown = [...unknown].some((start) => address.startsWith(start));
      callback(isUnknown ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null);
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
          greeting: session.hostNameAppearsAs,
        });
        callback();
      });
    },
  });
  const url = await new Promise<string>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(`smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
    });
  });
  return {
    url,
    received,
    unknown,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
