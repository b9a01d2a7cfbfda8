/** The texts of the first load, and the files that pages load. */
export * from './common.ts';
export const files = import.meta.glob<object>(['./*.ts', '!./{common,grammar,index}.ts']);
