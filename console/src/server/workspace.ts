/**
 * The workspace of the page. Addresses below `/console/w/{workspace_id}` name it, so a copied link opens for colleagues.
 * Other addresses mean the user's default workspace.
 */
import { createBrowserHistory } from '@tanstack/react-router';

export const history = createBrowserHistory();

const ADDRESSED = /^\/console(\/w\/([^/]+))/;

/** Returns the ID of the workspace in the address; undefined: the default workspace. */
export const addressedWorkspace = () => ADDRESSED.exec(history.location.pathname)?.[2];

/** Returns the part of the address that names the workspace; empty for the default workspace. */
const prefix = () => ADDRESSED.exec(history.location.pathname)?.[1] ?? '';

/** Base path of requests for the user instead of a workspace, which also work for people without a workspace. */
export const PERSONAL_API = '/api';

/** Returns the base path of API requests to the workspace of the page. */
export const apiBase = () => `${prefix()}/api`;

/** Returns the API base URL of the workspace, for programs. */
export const publicApiUrl = () => location.origin + apiBase();

/** Returns the address of the overview of a workspace. Opening it by a page load drops everything of the former one. */
export const homeOf = (workspaceId: string) => `/console/w/${workspaceId}/`;

/** Removes the workspace from the addresses that the router reads, and adds it to those that it writes. */
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

/** Returns the address without `/console`, which a login returns to. */
export const returnPath = ({ publicHref }: { publicHref: string }) => publicHref.replace(/^\/console/, '');
