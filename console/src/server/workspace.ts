/**
 * The workspace of the page. URLs under `/console/w/{workspace_id}` name it, so a copied link works for colleagues. Other
 * URLs open the user's default workspace.
 */
import { createBrowserHistory } from '@tanstack/react-router';

export const history = createBrowserHistory();

const ADDRESSED = /^\/console(\/w\/([^/]+))/;

/** Returns the workspace ID in the URL; undefined for the default workspace. */
export const addressedWorkspace = () => ADDRESSED.exec(history.location.pathname)?.[2];

/** Returns the part of the path that names the workspace; empty for the default workspace. */
const prefix = () => ADDRESSED.exec(history.location.pathname)?.[1] ?? '';

/** Base path of requests that do not concern a workspace. They also work for users without a workspace. */
export const PERSONAL_API = '/api';

/** Returns the base path of API requests to the workspace of the page. */
export const apiBase = () => `${prefix()}/api`;

/** Returns the API base URL of the workspace, for programs. */
export const publicApiUrl = () => location.origin + apiBase();

/** Returns the path of a workspace's overview. Open it with a page load, which discards the previous workspace's data. */
export const homeOf = (workspaceId: string) => `/console/w/${workspaceId}/`;

/** Removes the workspace from URLs that the router reads, and adds it to URLs that the router writes. */
export const workspaceRewrite = {
  input: ({ url }: { url: URL }) => {
    url.pathname = url.pathname.replace(/^\/w\/[^/]+/, '') || '/';
    return url;
  },
  output: ({ url }: { url: URL }) => {
    url.pathname = prefix() + url.pathname;
    return url;
  },
};

/** Returns the path to return to after a login: the URL without `/console`. */
export const returnPath = ({ publicHref }: { publicHref: string }) => publicHref.replace(/^\/console/, '');
