import { allComponents } from '../../src/components/all.js';
import * as registered from '../../src/components/registry.js';
import type { PolicyScope } from '../../src/components/component.js';

/** The properties that policies have: the construct of each component under the key of its section. */
export function policyComponentTypes(): string {
  const names = allComponents.map((component) => ({ component, name: classOf(component.id) }));
  const properties = (scope: PolicyScope) =>
    names
      .filter(({ component }) => component.source.scopes.includes(scope))
      .map(({ component: { source }, name }) => {
        const path = source.path.join('.');
        return `/** The section \`${path}\`; \`undefined\` where the policy does not have it. */\nreadonly ${source.path.at(-1) ?? ''}: ${name} | undefined;`;
      })
      .join('\n');
  return `/** The components of policies. \`npm run types\` writes this file from the registry. */
import type { ${names.map(({ name }) => name).join(', ')} } from '../components/registry.js';

/** The components that a NicClusterPolicy can have, by the last key of their section. */
export interface ClusterPolicyComponents { ${properties('cluster')} }

/** The components that a NicNodePolicy can have, by the last key of their section. */
export interface NodePolicyComponents { ${properties('node')} }
`;
}

function classOf(id: string): string {
  const bare = id.replaceAll('-', '');
  const found = Object.keys(registered).find((name) => /^[A-Z]/.test(name) && name.toLowerCase() === bare);
  if (found === undefined) throw new Error(`component ${id} has no construct`);
  return found;
}
