// Writes docs/manage-openapi.json from the definitions of the service; a test compares the two.
import { writeFileSync } from 'node:fs';
import { managementDocument } from '../identity/src/manage/open-api.ts';

const file = new URL('../docs/manage-openapi.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(managementDocument(), null, 2)}\n`);
