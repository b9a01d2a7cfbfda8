/** What lies over a page, in one file: it is loaded beside the page that is shown first, and never holds it up. */
export { ConfirmDialog, Dialog } from './open-dialog.tsx';
export { manager, ToastList } from './toast-list.tsx';
