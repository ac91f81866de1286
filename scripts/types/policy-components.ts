import { allComponents } from '../../src/compile/components/all.js';
import * as registered from '../../src/compile/components/registry.js';
import { allAddOns } from '../../src/compile/addons/all.js';
import * as registeredAddOns from '../../src/compile/addons/registry.js';
import type { PolicyScope } from '../../src/compile/components/component.js';

/** The properties that policies have: the construct of each component under the key of its section. */
export function policyComponentTypes(): string {
  const names = allComponents.map((component) => ({ component, name: classOf(component.id, registered) }));
  const addOns = allAddOns.map(({ id, source }) => ({ key: source.path[0], name: classOf(id, registeredAddOns) }));
  const properties = (scope: PolicyScope) =>
    names
      .filter(({ component }) => component.source.scopes.includes(scope))
      .map(({ component: { source }, name }) => {
        const path = source.path.join('.');
        return `/** The section \`${path}\`; \`undefined\` where the policy does not have it. */\nreadonly ${source.path.at(-1) ?? ''}: ${name} | undefined;`;
      })
      .join('\n');
  return `/** The components of policies, and the add-ons. \`npm run types\` writes this file from the registries. */
import type { ${addOns.map(({ name }) => name).join(', ')} } from '../addons/registry.js';
import type { ${names.map(({ name }) => name).join(', ')} } from '../components/registry.js';

/** The components that a NicClusterPolicy can have, by the last key of their section. */
export interface ClusterPolicyComponents { ${properties('cluster')} }

/** The components that a NicNodePolicy can have, by the last key of their section. */
export interface NodePolicyComponents { ${properties('node')} }

/** The add-ons that a Cluster can have, by the key of their section. */
export interface AddOnComponents { ${addOns.map(addOnProperty).join('\n')} }
`;
}

const addOnProperty = ({ key, name }: { readonly key: string; readonly name: string }): string =>
  `/** The section \`${key}\`; \`undefined\` where the Cluster does not have it. */\nreadonly ${key}: ${name} | undefined;`;

function classOf(id: string, registry: object): string {
  const bare = id.replaceAll('-', '');
  const found = Object.keys(registry).find((name) => /^[A-Z]/.test(name) && name.toLowerCase() === bare);
  if (found === undefined) throw new Error(`${id} has no construct`);
  return found;
}
