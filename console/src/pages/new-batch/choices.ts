/** Values of the settings field besides version numbers. */
export const CURRENT = 'current';
export const CUSTOM = 'custom';
