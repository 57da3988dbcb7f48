// Loaded before a child's own code (`node --import`). The channel to the parent closes when the parent ends, even by
// kill -9, and the child then stops as on SIGTERM, so that no process keeps holding a port or the data directory.
// JavaScript, because for TypeScript Node would load its compiler into the child: 15 MB in a release, which has none.

/** A child that has not stopped after this time is killed. The service promises to stop within 15 s. */
const patienceSeconds = 15;

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), patienceSeconds * 1000).unref();
});
// the channel must not keep the process alive
process.channel?.unref();
