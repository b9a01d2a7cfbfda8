/** `npm run openapi`: writes docs/openapi.json. */
import { ENDPOINTS } from '../contract/endpoints.ts';
import { toOpenApi } from '../contract/openapi/document.ts';
import { printFiles } from './print-files.ts';

printFiles('npm run openapi', { 'docs/openapi.json': `${JSON.stringify(toOpenApi(ENDPOINTS), null, 2)}\n` });
