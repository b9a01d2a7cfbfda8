/** A tab of a browser that Playwright does not drive: what the walk needs of it. */
export interface Tab {
  open(url: string): Promise<void>;
  /** Runs an expression in the page and returns its JSON value. */
  evaluate(expression: string): Promise<unknown>;
  /** Clicks the center of an element as a person does: whatever lies on top there gets the click. */
  click(selector: string): Promise<void>;
  /** Types into the focused element. `Enter` and such are keys of their own: `press`. */
  type(text: string): Promise<void>;
  press(key: 'Enter' | 'Space' | 'Escape'): Promise<void>;
  close(): Promise<void>;
}
