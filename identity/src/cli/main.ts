import { cacheCompiledCode } from '../lib/compile-cache.ts';
import { nameSourcesInStackTraces } from '../lib/stack-traces.ts';

// The entry point of `npx anteroom …`. The rest is imported afterwards, so that it comes from the cache.
nameSourcesInStackTraces();
cacheCompiledCode();
await import('./run-command.ts');
