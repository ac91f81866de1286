import { allAddOns } from '../addons/all.js';
import type { AnyAddOn, NodeLabels } from '../addons/add-on.js';
import { allComponents } from '../components/all.js';
import type { AnyComponent } from '../components/component.js';
import type { Config } from '../model/config.js';

/** A program that a component or an add-on runs on nodes, by DaemonSets: a column of the table. */
export interface NodeProgram {
  /** Id of the component or of the add-on. */
  readonly component: string;
  /** The id of a component; of an add-on, which may run several programs, the name of the DaemonSet. */
  readonly name: string;
  /** The section that installs it: `secondaryNetwork.multus`. */
  readonly section: string;
  /** A policy owns its DaemonSets; else it is an add-on. */
  readonly isOfPolicy: boolean;
  readonly isDriver: boolean;
  /** Pods get devices by it. */
  readonly offersDevices: boolean;
  /** Networks of pods need it. */
  readonly servesNetworks: boolean;
  /** Node labels that other programs select depend on its pods; the field of the Cluster document with their tolerations. */
  readonly labels?: NodeLabels;
}

const componentsById = new Map(allComponents.map((component) => [component.id, component]));
const addOnsById = new Map(allAddOns.map((addOn) => [addOn.id, addOn]));

/** The program of a component. */
export function componentProgram({ id, source, providesDriver, offers, provides = [] }: AnyComponent): NodeProgram {
  return {
    component: id,
    name: id,
    section: source.path.join('.'),
    isOfPolicy: true,
    isDriver: providesDriver,
    offersDevices: offers !== undefined,
    servesNetworks: provides.length > 0,
  };
}

/** The program of a DaemonSet in a folder of the output; `undefined` if no component and no add-on renders that folder. */
export function programIn(
  folder: string,
  daemonSet: string,
  { addOns }: Pick<Config, 'addOns'>,
): NodeProgram | undefined {
  const component = componentsById.get(folder);
  if (component !== undefined) return componentProgram(component);
  const addOn = addOnsById.get(folder);
  return addOn && addOnProgram(addOn, daemonSet, addOns.get(folder));
}

function addOnProgram(
  { id, source, provides = [], nodeLabels }: AnyAddOn,
  name: string,
  section: unknown,
): NodeProgram {
  const labels = nodeLabels?.(section);
  return {
    component: id,
    name,
    section: source.path.join('.'),
    isOfPolicy: false,
    isDriver: false,
    offersDevices: false,
    servesNetworks: provides.length > 0,
    ...(labels?.daemonSet === name && { labels }),
  };
}
