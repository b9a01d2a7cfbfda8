/** `npm run check:generated`: all that is printed from the code, in one process, since each part loads the contract. */
import './write-dashboard.ts';
import './write-openapi.ts';
import './write-settings.ts';
