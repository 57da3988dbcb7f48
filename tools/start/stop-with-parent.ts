// Loaded before a child's own code (`node --import`): the channel to the parent closes however the parent ends, kill -9
// included, and the child then stops as on SIGTERM. So no process is left behind that holds a port or the data directory.

/** A child that has not stopped by itself by then is ended; the service promises 15 s. */
const patienceSeconds = 15;

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), patienceSeconds * 1000).unref();
});
// listening for the parent is no reason to stay alive
process.channel?.unref();
