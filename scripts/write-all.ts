/** `npm run check:generated`: checks all generated files. One process, because each part loads the contract. */
import './write-errors.ts';
import './write-openapi.ts';
import './write-roles.ts';
import './write-settings.ts';
