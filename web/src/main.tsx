import { start } from './boot/start.ts';

start()
  .then(() =>
    import('./boot/late-start.ts').then(
      (part) => part.startLate(),
      // without it a double-click hits what it hits, and a user name is typed again
      () => {},
    ),
  )
  .catch(async () => (await import('./boot/start-failure.ts')).showStartFailure());
