import { start } from './boot/start.ts';

start()
  .then(() =>
    import('./boot/late-start.ts').then(
      (part) => part.startLate(),
      // A failure is ignored: the chunk only guards against stray double-clicks and passes a typed user name to the
      // page for a forgotten password.
      () => {},
    ),
  )
  .catch(async () => (await import('./boot/start-failure.ts')).showStartFailure());
