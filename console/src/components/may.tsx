import type { ReactNode } from 'react';
import type { Scope } from '../../../contract/values/scopes.ts';
import { useMay } from '../server/membership.ts';

/** Shows its children only if the user's role has the scope. */
export const May = ({ scope, children }: { scope: Scope; children: ReactNode }) => useMay()(scope) && children;
