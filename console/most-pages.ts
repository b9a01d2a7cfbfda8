/**
 * Small modules that nearly every page uses, and what they import. They run with the first page.
 */
export const ON_MOST_PAGES =
  /\/lucide-react\/|\/console\/src\/(?:components\/(?:button|choice|code-block|confirm-button|copy|creator|data-table|dialog|facts|folded|page-header|search-box|status|tabs|use-debounced|values)|fields\/(?:condition|field-title)|format\/(?:fill|metadata|roles))/;
