/** Which modules go into one file. Left alone, the bundler makes some hundred of them, and a page takes longer to gather them than to run them. */

interface ModuleGraph {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null;
}

/** Small, and on nearly every page. */
const ON_MOST_PAGES =
  /\/lucide-react\/|\/src\/components\/(button|copy|data-table|facts|figures|page-header|search-box|status|tabs|values)/;

/** Returns the name of the file that the module goes into; null where the bundler is to choose. */
export function chunkOf(id: string, graph: ModuleGraph): string | null {
  if (isOfFirstLoad(id, graph)) return 'first';
  return ON_MOST_PAGES.test(id) ? 'most-pages' : null;
}

/** Returns whether the entry needs the module, and not only a page that is loaded later. */
function isOfFirstLoad(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = graph.getModuleInfo(id);
  return info !== null && (info.isEntry || info.importers.some((importer) => isOfFirstLoad(importer, graph, seen)));
}
