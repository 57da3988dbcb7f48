#!/usr/bin/env node
// The operators' command line of a release.
const neededMajor = 24;
if (Number(process.versions.node.split('.')[0]) < neededMajor) {
  process.stderr.write(`Anteroom runs on Node ${neededMajor} or newer; this is ${process.version}.\n`);
  process.exit(1);
}
process.env['INIT_CWD'] = process.cwd();
const isVerify = process.argv[2] === 'verify-service';
if (isVerify) process.argv.splice(2, 1);
await import(isVerify ? '../identity/dist/verify-service.js' : '../identity/dist/cli.js');
