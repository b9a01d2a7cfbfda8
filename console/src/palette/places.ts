/** The places of the console: the navigation, the palette and the keyboard shortcuts list them. */
import type { LinkProps } from '@tanstack/react-router';
import {
  Bot,
  ChartColumn,
  ClipboardCheck,
  FlaskConical,
  LayoutDashboard,
  MessagesSquare,
  Settings,
  Wallet,
  type LucideIcon,
} from 'lucide-react';
import type { Scope } from '../../../contract/values/scopes.ts';
import { texts } from '../texts/index.ts';

export interface Place {
  to: LinkProps['to'];
  text: string;
  scope?: Scope;
  /** Main places with an icon are in the navigation. */
  icon?: LucideIcon;
}

interface MainPlace extends Place {
  /** Opens the place after `g`. */
  letter: string;
  /** The paths that belong to the entry of the navigation. */
  paths?: RegExp;
}

/** The places where people read results, then those of what runs. */
export const READ: MainPlace[] = [
  { to: '/', text: texts.shell.overview, letter: 'o', icon: LayoutDashboard, paths: /^\/$/ },
  {
    to: '/sessions',
    text: texts.shell.sessions,
    letter: 'c',
    icon: MessagesSquare,
    paths: /^\/(sessions|deliveries)/,
  },
  { to: '/review', text: texts.shell.review, letter: 'v', icon: ClipboardCheck, scope: 'reviews:write' },
  { to: '/results', text: texts.shell.results, letter: 'r', icon: ChartColumn, paths: /\/results$/ },
  {
    to: '/experiments',
    text: texts.common.experiments,
    letter: 'e',
    icon: FlaskConical,
    paths: /^\/(experiments|batches)/,
  },
];
export const RUN: MainPlace[] = [
  { to: '/assistants', text: texts.shell.assistants, letter: 'a', icon: Bot, paths: /^\/assistants(?!.*\/results$)/ },
  { to: '/usage', text: texts.shell.usage, letter: 'u', icon: Wallet, scope: 'usage:read' },
  { to: '/settings', text: texts.shell.settings, letter: 's', icon: Settings },
];

export const START: MainPlace = { to: '/start', text: texts.shell.start, letter: 'n', scope: 'requests:write' };

export const PLACES: MainPlace[] = [
  ...READ,
  ...RUN,
  { to: '/deliveries', text: texts.common.deliveries, letter: 'd', scope: 'webhooks:read' },
  START,
];
